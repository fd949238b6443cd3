"""Start a new checkpoint with the state, the offsets and the watermark of another one.

Spark takes an initial state in the first batch alone, and reads rows in the same batch. So the first batch of the new
checkpoint is written without offsets: it has no rows, and only stores the state. Then its offsets and its watermark are
replaced by those of the other checkpoint.
"""

from __future__ import annotations

import json
import re
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ir.errors import TableException, ValidationException
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.python_functions import pickle_user_code_by_value
from tableapi.spark.runtime.process.initial_states import INITIAL_TYPE, convert_initial
from tableapi.spark.runtime.process.packing import KEY
from tableapi.spark.runtime.process.plan import StoredForm
from tableapi.spark.runtime.process.stored_forms import FORMS, add_form, read_form
from tableapi.spark.streaming.checkpoints import Checkpoint, Record
from tableapi.spark.streaming.shape import EVOLUTION, Part
from tableapi.spark.streaming.state_changes import CallState, compare_states
from tableapi.spark.streaming.state_reading import StatesOfCheckpoint

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession, functions
else:
    functions = lazy(__name__, "pyspark.sql.functions")

_VERSION: Final = "v1"
# The version of offsets of sources with names.
_NAMED_VERSION: Final = "v2"
_SOURCE_METADATA: Final = "sourceMetadataInfo"
_NO_OFFSET: Final = "-"
_WATERMARK: Final = "batchWatermarkMs"
_NEXT_WATERMARK: Final = "nextBatchWatermarkMs"
_BATCH: Final = re.compile(r"(\d+)(\.compact)?")
_NOT_CONNECTED: Final = "to connect back"
_STARTS: Final = 4


@frozen
class Restoration:
    """What a new query takes over from a checkpoint.

    Attributes:
        states: the checkpoint.
        calls: the calls whose state is carried, each as in the checkpoint and as in the new query.
        sources: for each source of the new query, the number of the source in the checkpoint; None if it begins without
            an offset.
        names: the names of the sources of the new query; None for one without a name.
        carried: what is carried, in words.
        lost_state: the state that is lost, in words.
        left_sources: the sources that the query no longer reads, in words.
        anew: the parts that begin without state, in words.
    """

    states: StatesOfCheckpoint
    calls: tuple[tuple[CallState, CallState], ...]
    sources: tuple[int | None, ...]
    names: tuple[str | None, ...]
    carried: tuple[str, ...]
    lost_state: tuple[str, ...]
    left_sources: tuple[str, ...]
    anew: tuple[str, ...]

    def describe(self) -> list[str]:
        """Return lines that list the parts that are carried over, dropped, and begun without state."""
        lines = [f"restored from: {self.states.path}"]
        for title, sentences in (
            ("carried", self.carried),
            ("dropped", self.lost_state),
            ("dropped", [f"the offsets of {title}" for title in self.left_sources]),
            ("begun anew", self.anew),
        ):
            lines += [f"  {title}: {sentence}" for sentence in sentences]
        return lines


def plan_restoration(states: StatesOfCheckpoint, record: Record, *, allow_state_loss: bool) -> Restoration:
    """Return the parts of a checkpoint that a query takes over.

    Args:
        states: the checkpoint.
        record: the new query.
        allow_state_loss: whether state may be lost that the new query cannot take over.

    Raises:
        ValidationException: the state of a call does not fit, or state would be lost.
        TableException: the checkpoint has no finished batch, or a newer version of this library wrote it.
    """
    found = compare_checkpoint(states, record)
    if found.lost_state and not allow_state_loss:
        raise ValidationException(
            f"The query would lose state of the checkpoint {states.path}:\n"
            + "\n".join(f"  {sentence}" for sentence in found.lost_state)
            + "\nTo lose it, pass allow_state_loss=True; SET 'execution.stream.allow-state-loss' = 'true'. Nothing was "
            "started."
        )
    return found


def compare_checkpoint(states: StatesOfCheckpoint, record: Record) -> Restoration:
    """Compare a query with a checkpoint: the parts that it takes over, and the parts that it would lose.

    Raises:
        ValidationException: the state of a call does not fit.
        TableException: the checkpoint has no finished batch, or cannot be read.
    """
    _last_batch(states.path)
    carried: list[str] = []
    calls: list[tuple[CallState, CallState]] = []
    refused: list[str] = []
    new_calls = {part.call.uid: part.call for part in record.shape.state if part.call is not None}
    for call in states.calls:
        if call.uid in new_calls:
            calls.append((states.call(call.uid), new_calls[call.uid]))
            changes = compare_states(*calls[-1])
            refused += changes.refused
            carried += [f"the state of {call.uid!r}", *[_uncapitalize(one) for one in changes.carried]]
    if refused:
        raise ValidationException(
            f"The query cannot take over the state of the checkpoint {states.path}:\n"
            + "\n".join(f"  {sentence}" for sentence in refused)
            + "\nNothing was started."
        )
    old_uids = {call.uid for call in states.calls}
    lost_state = [
        part.title
        for part in states.record.shape.state
        # The state of Spark's own operators cannot be given to another query.
        if part.call is None or part.call.uid not in new_calls
    ]
    anew = [part.title for part in record.shape.state if part.call is None or part.call.uid not in old_uids]
    sources = _pair_sources(states.record, record)
    for number, part in zip(sources, record.shape.sources, strict=True):
        if number is None:
            anew.append(part.title)
        else:
            carried.append(f"the offsets of {part.title}")
    kept = set(sources)
    left = [p.title for number, p in enumerate(states.record.shape.sources) if number not in kept]
    carried.append("the watermark")
    return Restoration(
        states=states,
        calls=tuple(calls),
        sources=tuple(sources),
        names=tuple([part.name for part in record.shape.sources]),
        carried=tuple(carried),
        lost_state=tuple(lost_state),
        left_sources=tuple(left),
        anew=tuple(anew),
    )


def _uncapitalize(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def _pair_sources(old: Record, new: Record) -> list[int | None]:
    """Return, for each source of the new query, the number of the same source in the old query; None without one.

    A name tells sources apart that have one. The others are the same if they read the same.
    """
    left = dict(enumerate(old.shape.sources))
    found: list[int | None] = []
    for part in new.shape.sources:
        same = next((number for number, other in left.items() if _is_same_source(part, other)), None)
        if same is not None:
            del left[same]
        found.append(same)
    return found


def _is_same_source(one: Part, other: Part) -> bool:
    if one.name is None or other.name is None:
        return one.definition == other.definition
    # Offsets of another kind of source mean nothing.
    is_alike = one.title == other.title or (one.path is not None and other.path is not None)
    return one.name == other.name and is_alike


# --- the initial state ------------------------------------------------------------------------------------------------


def initial_states(session: SparkSession, restoration: Restoration) -> dict[str, DataFrame]:
    """Return the states of the calls in their new form, by ``uid``: partition key, key, state and wake-up."""
    return {new.uid: _initial_state(session, restoration.states, old, new) for old, new in restoration.calls}


def _initial_state(session: SparkSession, states: StatesOfCheckpoint, old: CallState, new: CallState) -> DataFrame:
    raw = states.raw(session, old)
    forms: Mapping[int, tuple[StoredForm, ...]] = {
        number: add_form(
            add_form([read_form(form) for form in entry.get(FORMS, ())], old.form),
            new.form,
        )
        for number, entry in states.progress(raw).items()
    }
    with pickle_user_code_by_value():
        return raw.mapInArrow(lambda batches: convert_initial(batches, forms), f"{KEY} BINARY, {INITIAL_TYPE}")


# --- the new checkpoint -----------------------------------------------------------------------------------------------


def write_first_batch(checkpoint: Path, restoration: Restoration, session: SparkSession) -> None:
    """Write the offsets of a first batch without rows into a new checkpoint."""
    _, old = _last_batch(restoration.states.path)
    settings = {key: str(session.conf.get(key, value)) for key, value in old.metadata.get("conf", {}).items()}
    watermark = old.metadata.get(_WATERMARK, 0)
    made = {_WATERMARK: watermark, "batchTimestampMs": round(time.time() * 1000), "conf": settings}
    if EVOLUTION in settings or any(restoration.names):
        settings[EVOLUTION] = "true" if any(restoration.names) else "false"
    (checkpoint / "metadata").write_text(json.dumps({"id": str(uuid.uuid4())}), encoding="utf-8")
    (checkpoint / "offsets").mkdir()
    _write_offsets(checkpoint, made, [(name, _NO_OFFSET) for name in restoration.names])


def run_first_batch(frame: DataFrame, checkpoint: Path, mode: str) -> None:
    """Run the first batch of a new checkpoint, which stores the initial states.

    Raises:
        TableException: Spark cannot run it.
    """
    for number in range(1, _STARTS + 1):
        try:
            with readable_errors("Restoring the state"):
                writer = frame.writeStream.format("noop").outputMode(mode).trigger(once=True)
                query = writer.option("checkpointLocation", str(checkpoint)).start()
                query.awaitTermination()
            break
        except TableException as error:
            # Spark gives a worker ten seconds to connect, which a busy machine may miss.
            if number == _STARTS or _NOT_CONNECTED not in str(error):
                raise
    if not (checkpoint / "commits" / "0").exists():
        raise TableException(f"Spark has not stored the initial state in the checkpoint {checkpoint}.")


def carry_positions(checkpoint: Path, restoration: Restoration) -> None:
    """Replace the offsets and the watermark of the first batch by those of the other checkpoint."""
    old_path = restoration.states.path
    batch, old = _last_batch(old_path)
    parts = restoration.states.record.shape.sources
    lines: list[tuple[str | None, str]] = []
    for number, (source, name) in enumerate(zip(restoration.sources, restoration.names, strict=True)):
        offset = _NO_OFFSET if source is None else old.find_offset(source, parts[source].name)
        lines.append((name, offset))
        if source is not None and offset != _NO_OFFSET:
            before, after = parts[source].name or str(source), name or str(number)
            _copy_log(old_path / "sources" / before, checkpoint / "sources" / after, offset)
    new = _read_offsets(checkpoint, 0)
    _write_offsets(checkpoint, new.metadata, lines)
    commit = _read_commit(checkpoint, 0)
    commit[_NEXT_WATERMARK] = _read_commit(old_path, batch).get(_NEXT_WATERMARK, old.metadata.get(_WATERMARK, 0))
    _write(checkpoint / "commits" / "0", f"{_VERSION}\n{json.dumps(commit)}")


def _copy_log(old: Path, new: Path, offset: str) -> None:
    """Copy the log of a source up to an offset; later entries are of files that were not processed."""
    if not old.is_dir():
        return
    try:
        last = json.loads(offset)["logOffset"]
    except (ValueError, KeyError, TypeError):
        last = None
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name in Checkpoint.list_names(old):
        found = _BATCH.fullmatch(name)
        if found is not None and (last is None or int(found[1]) <= last):
            shutil.copyfile(old / name, new / name)


# --- the files of Spark -----------------------------------------------------------------------------------------------


@frozen
class _Offsets:
    """The offsets of a batch: the metadata, and a line for each source.

    Attributes:
        metadata: the properties of the batch.
        sources: the offset of each source; with its name before it, if ``has_names``, and then only if it has one.
        has_names: whether the sources have names.
    """

    metadata: dict[str, Any]
    sources: list[str]
    has_names: bool = False

    def find_offset(self, number: int, name: str | None) -> str:
        """Return the offset of a source."""
        if not self.has_names:
            return self.sources[number]
        begin = f"{name}:"
        return next((line[len(begin) :] for line in self.sources if line.startswith(begin)), _NO_OFFSET)


def _last_batch(checkpoint: Path) -> tuple[int, _Offsets]:
    """Return the number and the offsets of the last finished batch.

    Raises:
        TableException: no batch has finished, or Spark wrote the offsets in another form.
    """
    batches = list(_list_batches(checkpoint / "commits"))
    if not batches:
        raise TableException(
            f"The checkpoint {checkpoint} has no finished batch, so that there is nothing to take over. Nothing was "
            "started."
        )
    return max(batches), _read_offsets(checkpoint, max(batches))


def _list_batches(folder: Path) -> Iterator[int]:
    for name in Checkpoint.list_names(folder):
        if name.isdigit():
            yield int(name)


def _read_offsets(checkpoint: Path, batch: int) -> _Offsets:
    path = checkpoint / "offsets" / str(batch)
    try:
        version, metadata, *sources = path.read_text(encoding="utf-8").split("\n")
        if version in (_VERSION, _NAMED_VERSION):
            return _Offsets(json.loads(metadata), sources, version == _NAMED_VERSION)
    except (OSError, ValueError) as error:
        raise TableException(f"The offsets {path} cannot be read: {error}. Nothing was started.") from None
    raise TableException(
        f"The offsets {path} are of the version {version} of a newer Spark, which cannot be taken over. Nothing was "
        "started."
    )


def _read_commit(checkpoint: Path, batch: int) -> dict[str, Any]:
    text = (checkpoint / "commits" / str(batch)).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text.partition("\n")[2] or "{}")
    return found


def _write_offsets(checkpoint: Path, metadata: Mapping[str, Any], sources: Sequence[tuple[str | None, str]]) -> None:
    """Write the offsets of the first batch.

    Args:
        checkpoint: the checkpoint.
        metadata: the properties of the batch.
        sources: the name and the offset of each source; all sources have names, or none has.
    """
    version, kept = _VERSION, dict(metadata)
    lines = [offset for _, offset in sources]
    if any(name is not None for name, _ in sources):
        version = _NAMED_VERSION
        kept.setdefault(_SOURCE_METADATA, {})
        # Spark has no line for a named source that has no offset.
        lines = [f"{name}:{offset}" for name, offset in sources if offset != _NO_OFFSET]
    _write(checkpoint / "offsets" / "0", "\n".join([version, json.dumps(kept), *lines]))


def _write(path: Path, text: str) -> None:
    """Write a file of Spark, without the sum of its old content, which Spark would compare."""
    path.with_name(f".{path.name}.crc").unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")
