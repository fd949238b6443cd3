"""The layout MERGED: a SELECT for as many operations as it can say, and WITH for what has to be said before."""

from serializer.merged.layout import merged_text, merged_text_and_spans

__all__ = ["merged_text", "merged_text_and_spans"]
