"""Parses SQL text to query operations.

The parser is loaded with the first text.
"""

from __future__ import annotations

from ir import schema_texts
from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir.types import LogicalType


def _parse_schema(text: str) -> LogicalType:
    from grammar.schemas import parse_schema

    return parse_schema(text)


schema_texts.register(_parse_schema)
