"""Options, names of checkpoints and displays of streams; no Spark runs."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableapi import StreamOptions, TableConfig
from tableapi.exceptions import ValidationException
from tableapi.spark.progress import Described, LinesDisplay, PlainDisplay, RichDisplay
from tableapi.spark.streaming.checkpoints import default_path, local_path
from tableapi.stream_options import combine


@pytest.mark.parametrize(
    ("given", "trigger"),
    [
        ("available_now", "available-now"),
        ("Available-Now", "available-now"),
        ("1 minute", "1 minutes"),
        (dt.timedelta(seconds=1.5), "1500 milliseconds"),
        ("real-time", "real-time"),
        ("real-time 30 seconds", "real-time 30 seconds"),
    ],
)
def test_triggers(given: str | dt.timedelta, trigger: str) -> None:
    assert StreamOptions(trigger=given).trigger == trigger


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"trigger": "soon"}, "There is no trigger 'soon'"),
        ({"trigger": 5}, "A trigger is a string or a timedelta, but was given 5"),
        ({"trigger": dt.timedelta(seconds=-1)}, "an interval is not negative"),
        ({"trigger": "real-time often"}, "There is no trigger 'real-time often'"),
        ({"output_mode": 3}, "There is no output mode 3"),
        ({"name": ""}, "The name of a query is a string of 1 to 200 characters"),
        ({"name": "x" * 201}, "The name of a query is a string of 1 to 200 characters"),
        ({"checkpoint": 3}, "A checkpoint is the path of a directory, but was given 3"),
    ],
)
def test_invalid_options(options: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationException, match=reason):
        StreamOptions(**options)  # type: ignore[arg-type]


def test_values_of_a_call_win_over_the_configuration() -> None:
    config = TableConfig()
    config.set("execution.stream.trigger", "available-now").set("execution.stream.name", "nightly")
    chosen = combine(StreamOptions(name="hourly", checkpoint=Path("/data/c")), config.to_map())
    assert chosen == StreamOptions(trigger="available-now", name="hourly", checkpoint="/data/c")


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_each_name_has_a_directory_of_its_own(one: str, other: str) -> None:
    paths = [default_path(name) for name in (one, other)]
    assert (paths[0] == paths[1]) == (one == other)
    assert paths[0].parent == default_path("plain").parent


def test_paths_of_checkpoints() -> None:
    assert local_path("file:///data/my%20checkpoints") == Path("/data/my checkpoints")
    assert local_path("relative") == Path("relative").absolute()
    assert local_path("s3://bucket/checkpoint") is None


def test_progress_without_an_end_is_shown_in_words() -> None:
    progress = Described("totals: batch 3")
    for display in (PlainDisplay, LinesDisplay, RichDisplay):
        written = io.StringIO()
        shown = display(written)
        shown.show(progress, 2.0)
        shown.close()
        assert "totals: batch 3" in written.getvalue()


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("restart-strategy.type", "fixed-delay", "Run the program again: each query continues from its checkpoint"),
        ("restart-strategy", "failure-rate", "nothing restarts it"),
        ("table.exec.state.ttl", "1 h", "Spark drops the state of a stream by its watermark"),
        ("table.exec.source.idle-timeout", "10 s", r"progress\(\) names the one that holds it back"),
    ],
)
def test_behaviour_of_flink_is_refused_by_its_key(key: str, value: str, reason: str) -> None:
    with pytest.raises(ValidationException, match=f"^{key} = {value} has no effect here.*{reason}"):
        TableConfig().set(key, value)
    without_effect = "none" if key.startswith("restart") else "0 ms"
    assert TableConfig().set(key, without_effect).get(key, "") == without_effect
