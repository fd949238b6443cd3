"""Rules about the source code itself, and figures that show how well it follows them."""
