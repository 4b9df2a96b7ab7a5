"""The rule book: what the documents say, how open passages are read, and the pages made of it."""
