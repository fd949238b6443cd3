"""The progress of calls of process table functions, and the warning of states that grow."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from pyspark.sql import Row

from tableapi.spark.streaming.running import warn_of_large_states
from tableapi.stream_progress import CallProgress, StreamProgress, read_progress


def _progress(size: int | None, late: int = 0, *, as_row: bool = True) -> StreamProgress:
    counts: dict[str, Any] = {"rows": 10, "late": late, "size": size, "partition": "('ada',)"}
    metrics = {"tableapi.call.visits": Row(**counts) if as_row else counts, "others": Row(n=1)}
    operators = [{"operatorName": "transformWithStateExec", "numRowsDroppedByWatermark": 1}]
    return read_progress("q", {"batchId": 3, "observedMetrics": metrics, "stateOperators": operators})


def test_calls_are_by_their_uid() -> None:
    for as_row in (True, False):
        progress = _progress(700, 4, as_row=as_row)
        assert progress.calls == (CallProgress("visits", 10, 4, 700, "('ada',)"),)
        assert progress.late_rows == 5
        assert "5 late rows" in progress.describe()
    # A batch without state, and one without rows.
    assert _progress(0).calls == (CallProgress("visits", 10, 0, 0, None),)
    empty = {"observedMetrics": {"tableapi.call.visits": None}}
    assert read_progress("q", empty).calls == (CallProgress("visits", 0, 0, 0, None),)


def test_a_state_that_grows_is_warned_of() -> None:
    known: dict[str, int] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_large_states("q", [_progress(60 << 20)], known)
    with pytest.warns(
        RuntimeWarning, match=r"the state of the partition \('ada',\) .* uid visits has 70 MB.* time to live"
    ):
        warn_of_large_states("q", [_progress(70 << 20)], known)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_large_states("q", [_progress(130 << 20)], known)
    with pytest.warns(RuntimeWarning, match="has 150 MB"):
        warn_of_large_states("q", [_progress(150 << 20)], known)


@pytest.mark.parametrize(
    ("end", "latest", "behind"),
    [
        ('{"orders": {"0": 7, "1": 40}}', '{"orders": {"0": 10, "1": 40, "2": 5}}', 3),
        ({"sequence": 301, "created": "2026-11-30"}, {"sequence": 1001, "created": "2026-11-30"}, 700),
        ({"sequence": 5}, {"sequence": 3}, 0),
        ('{"logOffset": 4}', None, None),
        ("6", "9", None),
        (None, None, None),
    ],
)
def test_the_lag_is_counted_by_offsets(end: object, latest: object, behind: int | None) -> None:
    source = {"description": "s", "numInputRows": 1, "endOffset": end, "latestOffset": latest}
    progress = read_progress("q", {"batchId": 0, "sources": [source, source]})
    assert progress.sources[0].behind == behind
    assert progress.behind == (None if behind is None else 2 * behind)
    assert ("behind" in progress.describe()) == (behind is not None)
