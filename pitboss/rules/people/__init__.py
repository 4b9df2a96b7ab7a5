"""People and devices: who they are, and how they show it."""
