"""What the inventory reports at the desk: cards, and checks from an amount on."""
