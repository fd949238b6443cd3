"""SQL text as query operations."""

from __future__ import annotations

from grammar.schemas import parse_schema
from ir import schema_texts

schema_texts.register(parse_schema)
