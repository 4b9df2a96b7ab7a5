"""What a house teaches: one card a job, in the order in which its work is done."""
