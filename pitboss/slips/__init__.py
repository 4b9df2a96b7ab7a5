"""The mechanism of slips; it knows no kind by name. A kind is one module of its app's `kinds`."""
