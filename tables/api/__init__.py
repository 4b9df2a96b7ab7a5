"""The terminals' API: a table read and acted on by the terminal that stands at it."""
