"""Stadium Blackjack: community cards, and decisions at terminals."""
