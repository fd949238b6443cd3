"""Resolution: what was written becomes typed operations; shared by the fluent API and the parser."""
