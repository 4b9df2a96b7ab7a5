"""Gaming cheques: what they are, how they are counted, and how they are cut out."""
