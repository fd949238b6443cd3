"""Asynchronous scalar functions: their declaration, and the options of their calls (FLIP-400)."""

from ir.light_typing import Final

PREFIX: Final = "table.exec.async-scalar."
"""The prefix of the configuration keys of asynchronous functions."""
