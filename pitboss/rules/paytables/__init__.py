"""Pay tables: their rows, what each pays, and what is odd about one."""
