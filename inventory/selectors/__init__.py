"""What screens and services read of the inventory, one module a subject."""
