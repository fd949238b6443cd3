"""Writes the MERGED layout: a SELECT for as many operations as possible, and WITH for the others."""

from serializer.merged.layout import merged_text, merged_text_and_spans

__all__ = ["merged_text", "merged_text_and_spans"]
