"""A test kit for queries and projects: assertions, snapshots, plans, small rows, and harnesses for functions.

The fixtures are in ``tableapi.testing.plugin``, which pytest loads by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tableapi.unknown_members import names_on_request

if TYPE_CHECKING:
    from tableapi.testing.assertions import assert_rows, assert_same_query, assert_schema
    from tableapi.testing.async_harness import AsyncCall, AsyncFunctionTestHarness, AsyncRun
    from tableapi.testing.given_rows import GivenRows, with_rows
    from tableapi.testing.plans import assert_plan, plan_of_change, plan_since, plan_text
    from tableapi.testing.process_harness import (
        LateRow,
        ProcessTableFunctionHarness,
        ProcessTableFunctionTestHarness,
        TimerRecord,
    )
    from tableapi.testing.snapshots import SqlSnapshotExtension, snapshot_text

_PLACES = {
    **dict.fromkeys(("assert_rows", "assert_same_query", "assert_schema"), "tableapi.testing.assertions"),
    **dict.fromkeys(("AsyncCall", "AsyncFunctionTestHarness", "AsyncRun"), "tableapi.testing.async_harness"),
    **dict.fromkeys(("GivenRows", "with_rows"), "tableapi.testing.given_rows"),
    **dict.fromkeys(("assert_plan", "plan_of_change", "plan_since", "plan_text"), "tableapi.testing.plans"),
    **dict.fromkeys(
        ("LateRow", "ProcessTableFunctionHarness", "ProcessTableFunctionTestHarness", "TimerRecord"),
        "tableapi.testing.process_harness",
    ),
    **dict.fromkeys(("SqlSnapshotExtension", "snapshot_text"), "tableapi.testing.snapshots"),
}

if not TYPE_CHECKING:
    # The harnesses need pyarrow and pyspark, and the snapshots syrupy. A test that uses neither loads neither.
    __getattr__, __dir__ = names_on_request(__name__, _PLACES)

__all__ = [
    "AsyncCall",
    "AsyncFunctionTestHarness",
    "AsyncRun",
    "GivenRows",
    "LateRow",
    "ProcessTableFunctionHarness",
    "ProcessTableFunctionTestHarness",
    "SqlSnapshotExtension",
    "TimerRecord",
    "assert_plan",
    "assert_rows",
    "assert_same_query",
    "assert_schema",
    "plan_of_change",
    "plan_since",
    "plan_text",
    "snapshot_text",
    "with_rows",
]
