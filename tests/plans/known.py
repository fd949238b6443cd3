"""Test programs whose plan cannot be that of the DataFrame, with the reason."""

from __future__ import annotations

DIFFERENT: dict[str, str] = {}
"""Programs whose scans, pushed filters, joins or exchanges differ, and why Spark is at fault."""

WITHOUT_COUNTERPART: dict[str, str] = {
    "exists_of_a_union": "a set operation that refers to the query around, for which PySpark does not wait",
}
"""Programs that say what the DataFrame API cannot, and what that is."""
