"""How the cast plays a floor in tests: what people do with slips, cheques, cards and tablets."""
