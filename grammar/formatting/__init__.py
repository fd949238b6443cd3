"""Formats SQL: the tokens and comments stay, and the layout becomes that of the serializer."""

from grammar.formatting.text import DEFAULT_WIDTH, Formatted, Note, format_text

__all__ = ["DEFAULT_WIDTH", "Formatted", "Note", "format_text"]
