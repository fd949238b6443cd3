"""Functions that people write: their classes, their types, and what is made of them."""
