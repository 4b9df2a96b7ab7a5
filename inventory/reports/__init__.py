"""What the inventory reports at the desk: cards."""
