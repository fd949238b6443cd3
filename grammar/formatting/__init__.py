"""Formatting of SQL: the same tokens and comments in the layout in which the serializer writes."""

from grammar.formatting.text import Formatted, Note, format_text

__all__ = ["Formatted", "Note", "format_text"]
