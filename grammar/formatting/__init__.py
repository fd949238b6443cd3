"""Formatting of SQL: the same tokens and comments in the layout in which the serializer writes."""

from grammar.formatting.text import DEFAULT_WIDTH, Formatted, Note, format_text

__all__ = ["DEFAULT_WIDTH", "Formatted", "Note", "format_text"]
