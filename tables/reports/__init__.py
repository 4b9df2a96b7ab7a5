"""What tables report: win, and the reports of the desk that are made of it."""
