"""What the page costs: its first view, its watchers, and the referee beside them."""
