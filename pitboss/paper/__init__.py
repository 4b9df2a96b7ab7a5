"""The paper: what goes to a printer. Plain values in, a PDF out; no database and no clock."""
