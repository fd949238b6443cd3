"""The state in a checkpoint: read as a table, shown by the verb, changed at a restart, taken over into a new query."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest

from tableapi import Row, StreamOptions, Table, TableDescriptor, TableEnvironment
from tableapi.cli import states as verb
from tableapi.command_line import main
from tableapi.exceptions import TableException, ValidationException
from tableapi.expressions import col, descriptor
from tableapi.process_functions import Context, OnTimerContext, ProcessTableFunction, State, TableAsSet
from tableapi.spark.runtime.process.plan import FieldForm, StateForm, StoredForm
from tableapi.spark.streaming.checkpoints import Checkpoint, Record
from tableapi.spark.streaming.restoring import Restoration, carry_positions, plan_restoration, write_first_batch
from tableapi.spark.streaming.shape import EVOLUTION, Part, Shape
from tableapi.spark.streaming.state_changes import CallState
from tableapi.spark.streaming.state_partitions import read_partitions, require_unmoved_state
from tableapi.spark.streaming.state_reading import StatesOfCheckpoint
from tests.streams.conftest import Drops

pytestmark = pytest.mark.long

DOCUMENTS = json.loads((Path(__file__).parents[2] / "docs" / "json-documents.json").read_text())


@dataclasses.dataclass
class Seen:
    rows: int = 0


@dataclasses.dataclass
class SeenLater:
    last: str | None = None
    rows: int | None = 0


class Counting(ProcessTableFunction):
    """Count the rows of a key, and emit the negative count 20 seconds after the last of them."""

    def eval(self, ctx: Context, seen: State[Seen], row: TableAsSet[Row]) -> Iterator[int]:
        seen.rows += 1
        timers = ctx.timers(dt.datetime)
        timers.register_on_time("late", timers.current_time() + dt.timedelta(seconds=20))
        yield seen.rows

    def on_timer(self, ctx: OnTimerContext, seen: State[Seen]) -> Iterator[int]:
        yield -seen.rows


class CountingLater(ProcessTableFunction):
    """The next version, which also remembers the last row."""

    def eval(self, ctx: Context, seen: State[SeenLater], row: TableAsSet[Row]) -> Iterator[int]:
        assert seen.rows is not None
        seen.rows += 1
        seen.last = f"row {row.id}"
        timers = ctx.timers(dt.datetime)
        timers.register_on_time("late", timers.current_time() + dt.timedelta(seconds=20))
        yield seen.rows

    def on_timer(self, ctx: OnTimerContext, seen: State[SeenLater]) -> Iterator[int]:
        assert seen.rows is not None
        yield -seen.rows


CountingLater.__name__ = "Counting"


def _run(table: Table, checkpoint: Path, **options: Any) -> list[tuple[str | None, int]]:
    """Run a call over the files that are there, and return key and number of its rows."""
    found: list[tuple[str | None, int]] = []

    def take(rows: Table, batch: int) -> None:
        with rows.execute().collect() as given:
            found.extend((row[0], row[1]) for row in given)

    chosen = StreamOptions(trigger="available-now", checkpoint=checkpoint, **options)
    table.for_each_batch(take, options=chosen).wait()
    return sorted(found, key=str)


def test_state_is_read_shown_changed_and_taken_over(
    env: TableEnvironment,
    drops: Drops,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One test, because each start of a stream takes seconds."""
    env.spark.conf.set("spark.sql.shuffle.partitions", "2")
    checkpoint, other = tmp_path / "c", tmp_path / "restored"
    call = drops.stream().partition_by(col("k")).process(Counting, on_time=descriptor("ts"))
    drops.drop((1, "a", 1), (2, "b", 2), (3, "a", 3))
    assert _run(call, checkpoint) == [("a", 1), ("a", 2), ("b", 1)]

    found = env.read_state(checkpoint, "Counting")
    assert found.get_resolved_schema().names == ("k", "seen", "timers", "watermark", "waiting_rows", "bytes")
    with found.execute().collect() as given:
        rows = {row[0]: row for row in given}
    assert {key: row[1].rows for key, row in rows.items()} == {"a": 2, "b": 1}
    (timer,) = rows["a"][2]
    assert (timer.name, timer.time.second, timer.period) == ("late", 23, None)
    assert rows["a"][4] == 0
    assert rows["a"][5] > 20

    monkeypatch.setattr(verb, "_session", lambda: env.spark)
    shown = _document(capsys, "state", str(checkpoint), "--key", "b")
    (state,) = shown["states"]
    assert (state["keys"], state["timers"], state["partitions"], state["waiting_rows"]) == (2, 2, 2, 0)
    assert state["states"] == {"seen": "ROW<`rows` BIGINT NOT NULL>"}
    assert [(row["k"], row["seen"]) for row in state["rows"]] == [("b", {"rows": 1})]
    before = Path(shutil.copytree(checkpoint, tmp_path / "before"))

    # The state gains a field, and its count may be NULL. Key b stays as the first version has stored it.
    changed = drops.stream().partition_by(col("k")).process(CountingLater, on_time=descriptor("ts"))
    drops.drop((4, "a", 12))
    assert _run(changed, checkpoint) == [("a", 3)]
    with env.read_state(checkpoint, "Counting").execute().collect() as given:
        assert sorted((row[0], row[1].last, row[1].rows) for row in given) == [("a", "row 4", 3), ("b", None, 1)]
    compared = _document(capsys, "state", "--diff", str(before), str(checkpoint), code=1)
    (difference,) = compared["differences"]
    assert "The field last of the state seen of 'Counting' is new, and begins as NULL." in difference["changes"]
    assert difference["changed"] == 2
    assert main(["state", str(checkpoint)]) == 0
    assert "2 keys in 2 partitions" in capsys.readouterr().out

    # A query with another filter and other partitions takes over the state, the offsets and the watermark.
    env.spark.conf.set("spark.sql.shuffle.partitions", "3")
    around = changed.filter(col("k") != "x")
    config = env.get_config()
    config.set("execution.stream.checkpoint", str(other)).set("execution.stream.restore-from", str(checkpoint))
    plan = around.insert_into(TableDescriptor.for_connector("noop").build()).explain()
    assert (
        f"restored from: {checkpoint}\n  carried: the state of 'Counting'\n  carried: the offsets of the files" in plan
    )
    assert not other.exists()
    # The first row of c is late for the watermark of the other query; the timers of that query fire.
    drops.drop((5, "b", 3), (6, "c", 1), (7, "c", 45))
    assert _run(around, other) == [("a", -3), ("b", -2), ("b", 2), ("c", 1)]
    assert _document(capsys, "state", str(other))["states"][0]["partitions"] == 3


def test_named_sources_are_taken_over_by_their_names(env: TableEnvironment, tmp_path: Path) -> None:
    """One test, because each start of a stream takes seconds."""
    env.spark.conf.set("spark.sql.shuffle.partitions", "2")
    env.spark.conf.set(EVOLUTION, "true")
    places = {name: Drops(env, tmp_path / name) for name in ("east", "west", "north", "moved")}
    for place in places.values():
        place.directory.mkdir()

    def union(*sources: tuple[str, str]) -> Table:
        first, *others = [places[folder].stream(name) for name, folder in sources]
        return functools.reduce(Table.union_all, others, first)

    def call(*sources: tuple[str, str]) -> Table:
        return union(*sources).partition_by(col("k")).process(Counting, on_time=descriptor("ts"))

    east, west, north = ("east", "east"), ("west", "west"), ("north", "north")
    places["east"].drop((1, "a", 1), (2, "b", 2))
    places["west"].drop((3, "a", 3))
    places["north"].drop((4, "a", 4))
    assert _run(call(east, west, north), tmp_path / "c") == [("a", 1), ("a", 2), ("a", 3), ("b", 1)]
    # Without state, sources come, go and change places under one checkpoint.
    assert len(_run(union(east, west).select(col("k"), col("id")), tmp_path / "plain")) == 3
    assert _run(union(north, east).select(col("k"), col("id")), tmp_path / "plain") == [("a", 4)]
    # Another query takes over the state, and the offsets of the sources that it has, by their names.
    places["east"].drop((5, "b", 5))
    places["west"].drop((6, "b", 6))
    places["moved"].drop((7, "a", 7))
    shifted = call(("east", "east"), ("south", "moved"), north).filter(col("k") != "x")
    config = env.get_config()
    config.set("execution.stream.checkpoint", str(tmp_path / "d"))
    config.set("execution.stream.restore-from", str(tmp_path / "c"))
    plan = shifted.insert_into(TableDescriptor.for_connector("noop").build()).explain()
    for line in (
        f"carried: the offsets of the files of {places['east'].directory}",
        f"carried: the offsets of the files of {places['north'].directory}",
        f"dropped: the offsets of the files of {places['west'].directory}",
        f"begun anew: the files of {places['moved'].directory}",
    ):
        assert f"  {line}" in plan.splitlines()
    assert _run(shifted, tmp_path / "d") == [("a", 4), ("b", 2)]
    # From then on, the new checkpoint continues, and restore-from has no effect.
    places["north"].drop((8, "b", 8))
    places["west"].drop((9, "a", 9))
    assert _run(shifted, tmp_path / "d") == [("b", 3)]


def _document(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert main([*arguments, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, DOCUMENTS)
    return found


# --- without Spark ----------------------------------------------------------------------------------------------------


def _form(type: str = "BIGINT", kind: str = "integer") -> StoredForm:
    return StoredForm(type.encode().ljust(8)[:8], (StateForm("seen", "value", (FieldForm("n", (kind,), type),)),))


def _call(uid: str = "Counting", form: StoredForm | None = None, function: str = "Counting") -> Part:
    call = CallState(uid, function, f"s_{uid}", (("k", "STRING"),), "TIMESTAMP_LTZ", (form or _form(),))
    return Part(f"the process table function {function} with the uid {uid}", "d", call=call)


EVENTS = Part("the files of /events", "events", "/events")
COUNTS = Part("the aggregates [count(1)] by [k]", "counts")


def _record(*state: Part, sources: tuple[Part, ...] = (EVENTS,)) -> Record:
    return Record("totals", "the sink", "append", Shape(sources, state, ()), "SELECT 1", True)


def _checkpoint(path: Path, record: Record, watermark: int = 5_000) -> Path:
    """Write a checkpoint whose batch 1 has ended, and whose batch 2 has begun."""
    path.mkdir()
    Checkpoint(path).write(record)
    (path / "metadata").write_text('{"id": "x"}')
    for folder in ("offsets", "commits", "state"):
        (path / folder).mkdir()
    (path / "state" / "0").mkdir()
    lines = len(record.shape.sources)
    for batch in range(3):
        metadata = json.dumps({"batchWatermarkMs": watermark + batch, "conf": {"spark.sql.shuffle.partitions": "7"}})
        (path / "offsets" / str(batch)).write_text("\n".join(["v1", metadata, *[f'{{"logOffset":{batch}}}'] * lines]))
        if batch < 2:
            (path / "commits" / str(batch)).write_text(f'v1\n{{"nextBatchWatermarkMs":{watermark + batch + 1}}}')
    for number in range(lines):
        log = path / "sources" / str(number)
        log.mkdir(parents=True)
        for batch in range(3):
            (log / str(batch)).write_text(f"v1\nfile {batch}")
    return path


class Conf:
    """The configuration of a session."""

    conf: Any

    def __init__(self) -> None:
        self.conf = self

    def get(self, key: str, default: str) -> str:
        return "3" if key == "spark.sql.shuffle.partitions" else default


def _store(checkpoint: Path, batch: int, partitions: int, variable: str) -> None:
    """Write what Spark keeps of an operator with state."""
    folder = checkpoint / "state" / "0" / "_metadata" / "v2"
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "operatorInfo": {"operatorId": 0, "operatorName": "transformWithStateInPySparkExec"},
        "stateStoreInfo": [{"storeName": "default", "numPartitions": partitions}],
        "operatorPropertiesJson": json.dumps({"stateVariables": [{"stateName": variable}]}),
    }
    (folder / str(batch)).write_text(f"v2\n{json.dumps(document)}")


def test_a_state_that_spark_has_repartitioned_is_refused(tmp_path: Path) -> None:
    checkpoint = _checkpoint(tmp_path / "c", _record())
    assert read_partitions(checkpoint) == "7"
    _store(checkpoint, 0, 7, "s_Counting")
    _store(checkpoint, 1, 7, "s_Counting")
    require_unmoved_state(checkpoint)
    _store(checkpoint, 2, 3, "s_Counting")
    with pytest.raises(TableException, match=r"moved from 7 to 3 partitions by Spark's repartition\(\).*restore_from"):
        require_unmoved_state(checkpoint)
    # State of Spark's own operators is Spark's to move.
    other = _checkpoint(tmp_path / "d", _record())
    _store(other, 0, 7, "counts")
    _store(other, 1, 3, "counts")
    require_unmoved_state(other)
    assert read_partitions(tmp_path / "none") is None


def test_checkpoints_that_cannot_be_read(tmp_path: Path) -> None:
    known = _checkpoint(tmp_path / "totals", _record(_call()))
    with pytest.raises(TableException, match=r"There is no checkpoint .*totls\. Did you mean 'totals'\?"):
        StatesOfCheckpoint(tmp_path / "totls")
    with pytest.raises(TableException, match=r"it has no file tableapi\.json, .* the directory is no checkpoint"):
        StatesOfCheckpoint(tmp_path)
    with pytest.raises(TableException, match="is in another file system"):
        StatesOfCheckpoint("s3://bucket/totals")
    states = StatesOfCheckpoint(known)
    with pytest.raises(ValidationException, match=r"no state of the uid 'Countin'\. .* Did you mean 'Cou"):
        states.call("Countin")
    assert states.operators() == []
    (known / "commits" / "2").write_text("v1\n{}")
    shutil.rmtree(known / "state")
    with pytest.raises(TableException, match=r"the directory 'state' is lost\. Restore it from a copy\.$"):
        StatesOfCheckpoint(known)
    shutil.rmtree(known / "offsets")
    with pytest.raises(TableException, match="batch 2 is committed, and its offsets are lost"):
        StatesOfCheckpoint(known)


def test_checkpoints_of_newer_versions(tmp_path: Path) -> None:
    known = _checkpoint(tmp_path / "totals", _record(_call()))
    text = (known / "tableapi.json").read_text()
    assert json.loads(text)["format"] == 2
    (known / "tableapi.json").write_text(text.replace('"version": 1', '"version": 9'))
    with pytest.raises(TableException, match=r"A newer version of tableapi \(.*\) has stored the state of 'Counting'"):
        StatesOfCheckpoint(known).call("Counting")
    (known / "tableapi.json").write_text(text.replace('"format": 2', '"format": 3'))
    with pytest.raises(TableException, match=r"which cannot read it\. Install that version\.$"):
        StatesOfCheckpoint(known)
    (known / "tableapi.json").write_text(text.replace('"forms"', '"shapes"'))
    with pytest.raises(TableException, match=r"tableapi\.json is corrupt"):
        StatesOfCheckpoint(known)


def test_what_the_verb_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = _checkpoint(tmp_path / "totals", _record(_call(), _call("other")))
    for arguments, words in (
        (["--diff", str(known)], "--diff takes two checkpoints"),
        ([str(known), str(known)], "--diff takes two checkpoints"),
        (["--diff", str(known), str(known), "--uid", "Counting"], "--diff takes two checkpoints"),
        ([str(known), "--key", "a"], "--key needs --uid"),
        ([str(known), "--uid", "Othr"], "Did you mean 'other'?"),
        (["repartition", str(known), "--buckets", "8"], "Start the query with a new checkpoint, restore_from= the old"),
        (["repartition", str(known)], "is not moved to another number of partitions in place"),
    ):
        assert main(["state", *arguments]) == 2
        assert words in " ".join(capsys.readouterr().err.split())


def test_a_restart_keeps_the_forms_of_all_states(tmp_path: Path) -> None:
    narrow, wide = _form("INT"), _form("BIGINT")
    known = _checkpoint(tmp_path / "totals", _record(_call(form=narrow)))
    checked = Checkpoint(known).check(_record(_call(form=wide)), None, lambda text: None)
    assert checked.shape.state[0].call is not None
    assert checked.shape.state[0].call.forms == (narrow, wide)
    Checkpoint(known).write(checked)
    before = (known / "tableapi.json").read_bytes()
    with pytest.raises(ValidationException, match=r"was BIGINT, and is INT: it cannot hold all values\."):
        Checkpoint(known).check(_record(_call(form=narrow)), None, lambda text: None)
    with pytest.raises(ValidationException, match=r"of the uid 'Counting' is that of Counting, and the call is"):
        Checkpoint(known).check(_record(_call(function="Others", form=wide)), None, lambda text: None)
    moved = attrs.evolve(_call(form=wide), definition="other columns")
    with pytest.raises(ValidationException, match="is computed from other columns or by other expressions"):
        Checkpoint(known).check(_record(moved), None, lambda text: None)
    assert (known / "tableapi.json").read_bytes() == before


def _restoration(path: Path, record: Record, *, allow_state_loss: bool = False) -> Restoration:
    return plan_restoration(StatesOfCheckpoint(path), record, allow_state_loss=allow_state_loss)


def test_what_is_taken_over(tmp_path: Path) -> None:
    others = Part("the source rate", "rate")
    known = _checkpoint(tmp_path / "totals", _record(_call(), _call("gone"), COUNTS, sources=(others, EVENTS)))
    new = _record(_call("new"), _call(), COUNTS, sources=(EVENTS, Part("the source kafka", "kafka")))
    with pytest.raises(ValidationException, match="would lose state") as raised:
        _restoration(known, new)
    assert "the uid gone\n" in str(raised.value)
    assert "  the aggregates [count(1)] by [k]\n" in str(raised.value)
    found = _restoration(known, new, allow_state_loss=True)
    assert found.sources == (1, None)
    assert found.describe()[1:] == [
        "  carried: the state of 'Counting'",
        "  carried: the offsets of the files of /events",
        "  carried: the watermark",
        "  dropped: the process table function Counting with the uid gone",
        "  dropped: the aggregates [count(1)] by [k]",
        "  dropped: the offsets of the source rate",
        "  begun anew: the process table function Counting with the uid new",
        "  begun anew: the aggregates [count(1)] by [k]",
        "  begun anew: the source kafka",
    ]
    with pytest.raises(ValidationException, match=r"cannot take over the state .*\n.* was BIGINT, and is INT: it cann"):
        _restoration(known, _record(_call(form=_form("INT"))), allow_state_loss=True)


def test_a_new_checkpoint_begins_where_the_other_one_ended(tmp_path: Path) -> None:
    known = _checkpoint(tmp_path / "totals", _record(_call(), sources=(Part("the source rate", "rate"), EVENTS)))
    found = _restoration(known, _record(_call(), sources=(EVENTS, Part("the source kafka", "kafka"))))
    new = tmp_path / "new"
    new.mkdir()
    guard = Checkpoint(new, restores=True)
    (new / "leftover").mkdir()
    guard.begin_restoration()
    write_first_batch(new, found, Conf())  # type: ignore[arg-type]  # in place of a session
    version, metadata, *sources = (new / "offsets" / "0").read_text().split("\n")
    assert (version, sources) == ("v1", ["-", "-"])
    # The number of partitions is that of the session, and the watermark that of the last finished batch.
    assert json.loads(metadata)["conf"] == {"spark.sql.shuffle.partitions": "3"}
    assert json.loads(metadata)["batchWatermarkMs"] == 5_001
    with pytest.raises(TableException, match="taking over the state of another checkpoint was interrupted"):
        Checkpoint(new).check(_record(_call()), None, lambda text: None)
    guard.check(_record(_call()), None, lambda text: None)
    (new / "commits").mkdir()
    (new / "commits" / "0").write_text('v1\n{"nextBatchWatermarkMs":5001}')
    (new / "offsets" / ".0.crc").write_text("sum")
    carry_positions(new, found)
    guard.end_restoration()
    assert (new / "offsets" / "0").read_text().split("\n")[2:] == ['{"logOffset":1}', "-"]
    assert not (new / "offsets" / ".0.crc").exists()
    assert json.loads((new / "commits" / "0").read_text().split("\n")[1])["nextBatchWatermarkMs"] == 5_002
    # The file that batch 2 has found is found again.
    assert sorted(path.name for path in (new / "sources" / "0").iterdir()) == ["0", "1"]
    assert sorted(path.name for path in new.iterdir()) == ["commits", "metadata", "offsets", "sources"]


def test_a_checkpoint_without_a_finished_batch_has_nothing_to_take_over(tmp_path: Path) -> None:
    known = _checkpoint(tmp_path / "totals", _record(_call()))
    shutil.rmtree(known / "commits")
    with pytest.raises(TableException, match="has no finished batch, so that there is nothing to take over"):
        _restoration(known, _record(_call()))
    newer = _checkpoint(tmp_path / "newer", _record(_call()))
    (newer / "offsets" / "1").write_text('v3\n{}\n{"a": 1}')
    with pytest.raises(TableException, match="of the version v3 of a newer Spark, which cannot be taken over"):
        _restoration(newer, _record(_call()))


def test_names_tell_sources_apart(tmp_path: Path) -> None:
    def files(name: str | None, folder: str) -> Part:
        return Part(f"the files of {folder}", f"digest of {folder}", folder, name=name)

    rate = Part("the source rate", "rate", name="clock")
    known = _checkpoint(tmp_path / "c", _record(_call(), sources=(files("a", "/a"), rate, files("b", "/b"))))
    metadata = json.dumps({"batchWatermarkMs": 1, "conf": {EVOLUTION: "true"}, "sourceMetadataInfo": {}})
    (known / "offsets" / "1").write_text(f'v2\n{metadata}\nb:{{"logOffset":1}}\na:{{"logOffset":0}}')
    for number, name in enumerate(("a", "clock", "b")):
        (known / "sources" / str(number)).rename(known / "sources" / name)
    # A directory may move under a name; another kind of source has other offsets; a source without a name is the one
    # that reads the same.
    new = (files("b", "/moved"), files("clock", "/c"), files("a", "/b"), files("new", "/a"))
    found = _restoration(known, _record(_call(), sources=new))
    assert found.sources == (2, None, 0, None)
    assert _restoration(known, _record(_call(), sources=(files(None, "/b"), files("a", "/a")))).sources == (2, 0)
    made = tmp_path / "new"
    made.mkdir()
    write_first_batch(made, found, Conf())  # type: ignore[arg-type]  # in place of a session
    version, text, *lines = (made / "offsets" / "0").read_text().split("\n")
    assert (version, lines) == ("v2", [])
    assert json.loads(text)["conf"] == {EVOLUTION: "true"}
    (made / "commits").mkdir()
    (made / "commits" / "0").write_text("v1\n{}")
    carry_positions(made, found)
    assert (made / "offsets" / "0").read_text().split("\n")[2:] == ['b:{"logOffset":1}', 'a:{"logOffset":0}']
    logs = {path.name: sorted(entry.name for entry in path.iterdir()) for path in (made / "sources").iterdir()}
    assert logs == {"b": ["0", "1"], "a": ["0"]}
    # A query whose sources have lost their names takes the offsets over as well.
    plain = tmp_path / "plain"
    plain.mkdir()
    found = _restoration(known, _record(_call(), sources=(files(None, "/b"), rate)))
    write_first_batch(plain, attrs.evolve(found, names=(None, None)), Conf())  # type: ignore[arg-type]  # in place of a session
    version, text, *lines = (plain / "offsets" / "0").read_text().split("\n")
    assert (version, lines) == ("v1", ["-", "-"])
    assert json.loads(text)["conf"] == {EVOLUTION: "false"}


def test_named_sources_come_and_go_under_one_checkpoint(tmp_path: Path) -> None:
    def source(name: str | None, definition: str) -> Part:
        return Part(f"the source {definition}", definition, name=name)

    known = _checkpoint(tmp_path / "c", _record(_call(), sources=(source("a", "x"), source("b", "y"))))
    for sources in ((source("b", "y"), source("a", "x")), (source("c", "z"), source("b", "y")), (source("a", "x"),)):
        Checkpoint(known).check(_record(_call(), sources=sources), None, lambda text: None)
    with pytest.raises(ValidationException, match="The source named a: the source x became the source y"):
        Checkpoint(known).check(_record(_call(), sources=(source("a", "y"),)), None, lambda text: None)
    with pytest.raises(ValidationException, match="The sources: there were the source x; the source y, and there are"):
        Checkpoint(known).check(_record(_call(), sources=(source(None, "x"),)), None, lambda text: None)
