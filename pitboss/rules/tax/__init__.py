"""Tax on wins: thresholds, forms and withholding."""
