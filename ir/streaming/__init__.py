"""Streams: which columns of a query carry a watermark, and what a query over a stream cannot do."""
