"""What a house tells its group, signed, and how the group proves it."""
