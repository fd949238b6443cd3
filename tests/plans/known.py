"""Test programs whose plan cannot equal the DataFrame's, with the reason."""

from __future__ import annotations

DIFFERENT: dict[str, str] = {
    "exists_with_a_reference_in_a_join_predicate": "the condition of a join cannot refer to the query around in "
    "PySpark; after the join it can, and then Spark infers one IS NOT NULL less, so that the text pushes one more down",
}
"""Programs whose scans, pushed filters, joins or exchanges differ, with the reason in Spark."""

WITHOUT_COUNTERPART: dict[str, str] = {
    "exists_of_a_union": "a set operation that refers to the query around, for which PySpark does not wait",
    **dict.fromkeys(
        (
            "json_table_of_a_constant",
            "json_table_of_each_row",
            "json_table_kept_without_rows",
            "json_table_goes_on",
        ),
        "table functions that PySpark has no method for",
    ),
    **dict.fromkeys(
        (
            "as_of_previous_event_of_key",
            "as_of_next_value_keeps_rows",
            "as_of_computed_value_below_groups",
            "as_of_with_another_predicate_than_equality",
            "as_of_of_filtered_sides",
        ),
        "as-of joins, for which pandas on Spark builds a nested loop",
    ),
}
"""Programs that the DataFrame API cannot express, with the reason."""
