"""Reports as data: what each says, and the one way in which a screen, paper or a file shows it."""
