"""Explains text that does not parse: what is wrong, what is accepted, and the likely mistake."""
