"""Rules about the source code itself, and the figures that show how well it keeps them."""
