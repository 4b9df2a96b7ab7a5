"""The drop: what a box should hold, what was counted, and how a count is put right."""
