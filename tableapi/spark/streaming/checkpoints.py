"""Checkpoints: the directory of a query, the record of what it belongs to, and the checks before a restart.

Spark keeps offsets, commits and state there, and checks them when the first batch runs. By then it has written to the
directory. The record of this library, ``tableapi.json``, lets a restart be checked before anything is touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NoReturn
from urllib.parse import unquote, urlparse

import attrs

from ir.errors import TableException, ValidationException, did_you_mean
from tableapi._version import __version__
from tableapi.catalog.file_lock import try_lock
from tableapi.spark.home import tableapi_home
from tableapi.spark.streaming.pending_files import find_lost_file
from tableapi.spark.streaming.shape import Part, Shape, read_part
from tableapi.spark.streaming.state_changes import add_forms, compare_states

RECORD: Final = "tableapi.json"
_LOCK: Final = "tableapi.lock"
# Exists while the state of another checkpoint is being taken over.
_RESTORING: Final = "tableapi.restoring"
# Records with the states of process table functions have another shape, which older versions cannot read.
_FORMAT: Final = 2
_FORMAT_WITHOUT_CALLS: Final = 1
_UNSAFE: Final = re.compile(r"[^\w.\-]+", re.ASCII)
_BATCH: Final = re.compile(r"\d+")
# The first line of the files of Spark's logs.
_VERSION_LINE: Final = re.compile(rb"v\d+\n")


@attrs.frozen
class Record:
    """What a checkpoint belongs to.

    Attributes:
        name: the name of the query.
        sink: the sink.
        output_mode: the output mode.
        shape: the sources, the operators with state, and the columns.
        query: the query as text, for messages.
        is_sql: whether the text is SQL that reads back as the query.
        version: the version of this library that wrote the record.
    """

    name: str
    sink: str
    output_mode: str
    shape: Shape
    query: str
    is_sql: bool
    version: str = __version__

    def as_json(self) -> str:
        """Return the record as JSON."""
        has_calls = any(part.call is not None for part in self.shape.state)
        made = {
            "format": _FORMAT if has_calls else _FORMAT_WITHOUT_CALLS,
            "tableapi": self.version,
            "name": self.name,
            "sink": self.sink,
            "output_mode": self.output_mode,
            "sources": [part.as_json() for part in self.shape.sources],
            "state": [part.as_json() for part in self.shape.state],
            "columns": [list(column) for column in self.shape.columns],
            "query": self.query,
            "is_sql": self.is_sql,
        }
        return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


DescribeChanges = Callable[[str], str | None]
"""Returns the changes from a query, given as SQL, to the new one; None if the text cannot be read any more."""


def default_path(name: str) -> Path:
    """Return the checkpoint of a query's name under the home directory of this library."""
    # Spark escapes some characters of paths twice.
    plain = _UNSAFE.sub("_", name)
    digest = "" if plain == name else f"-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return tableapi_home() / "streams" / f"{plain}{digest}"


def local_path(path: str) -> Path | None:
    """Return the path of a checkpoint in the file system of this machine; None for another file system."""
    parsed = urlparse(path)
    if parsed.scheme == "file":
        return Path(unquote(parsed.path))
    return None if len(parsed.scheme) > 1 else Path(path).absolute()


class Checkpoint:
    """The checkpoint directory of one query, locked from ``open`` to ``close``.

    Args:
        path: the directory.
        ending: the last sentence of a refusal.
        restores: whether a new checkpoint takes over the state of another one.
    """

    def __init__(self, path: Path, ending: str = " Nothing was started.", *, restores: bool = False) -> None:
        self.path = path
        self._restores = restores
        self._ending = ending
        self._lock: int | None = None

    # --- the lock ----------------------------------------------------------------------------------------------------

    def lock(self) -> None:
        """Lock the directory against other queries, also of other processes.

        Raises:
            TableException: another query runs with it, or the directory cannot be created.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise self._make_unwritable_error(error) from None
        try:
            try_lock(descriptor)
        except OSError:
            os.close(descriptor)
            raise TableException(
                f"Another query runs with the checkpoint {self.path}. Stop it, or give this query a name or a "
                "checkpoint of its own: StreamOptions(name=…). Nothing was started."
            ) from None
        self._lock = descriptor

    def unlock(self) -> None:
        """Free the directory."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # --- the record --------------------------------------------------------------------------------------------------

    def check(self, record: Record, directory: str | None, describe: DescribeChanges) -> Record:
        """Check that a query may start with this checkpoint, without touching the checkpoint.

        Returns:
            the record of the query, with the forms of all states that the checkpoint may have.

        Args:
            record: what the query is.
            directory: the directory of Spark's file sink, if the query writes to one.
            describe: returns what changed from the query of the record.

        Raises:
            ValidationException: the checkpoint belongs to another query, or the query changed in a way that it cannot
                follow.
            TableException: the checkpoint is incomplete or corrupt, or of a newer version of this library.
        """
        known = self._read()
        if known is None:
            self._require_unused(record, directory)
            return record
        self._compare(known, record, describe)
        self._require_complete(record, directory)
        return _with_forms(known, record)

    def read(self) -> Record:
        """Return the record of a checkpoint that has all that a restart needs.

        Raises:
            TableException: there is no checkpoint, or it is incomplete, corrupt, of a newer version of this library, or
                not of this library.
        """
        if not self.path.is_dir():
            names = [name for name in self.list_names(self.path.parent) if (self.path.parent / name).is_dir()]
            raise TableException(
                f"There is no checkpoint {self.path}.{did_you_mean(self.path.name, names)}{self._ending}"
            )
        known = self._read()
        if known is None:
            self._refuse(
                f"it has no file {RECORD}, which a query of this library writes: the directory is no checkpoint, or "
                "another program made it"
            )
        self._require_complete(known, None)
        return known

    @property
    def is_new(self) -> bool:
        """Whether no query has begun with the checkpoint."""
        return not (self.path / RECORD).exists()

    def begin_restoration(self) -> None:
        """Empty the directory, of which an earlier restoration may have left a part."""
        (self.path / _RESTORING).touch()
        for name in self.list_names(self.path):
            if name in (_LOCK, _RESTORING):
                continue
            path = self.path / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def end_restoration(self) -> None:
        """Mark the restoration as complete, after the record is written."""
        (self.path / _RESTORING).unlink(missing_ok=True)

    def write(self, record: Record) -> None:
        """Write the record, so that a crash leaves the old one or the new one.

        Raises:
            TableException: the file cannot be written, as on a full disk.
        """
        try:
            self._replace_record(record.as_json())
        except OSError as error:
            raise self._make_unwritable_error(error) from None

    def _replace_record(self, text: str) -> None:
        descriptor, name = tempfile.mkstemp(dir=self.path, prefix=f".{RECORD}.")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, self.path / RECORD)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def _make_unwritable_error(self, error: OSError) -> TableException:
        return TableException(
            f"The checkpoint {self.path} cannot be written: {error.strerror or error}. Nothing was started."
        )

    def clear_first_batch(self) -> None:
        """Remove what a crash left before the first offsets were complete; Spark would refuse to start with it.

        Nothing has been read by then. The leftovers are files with hidden names, which Spark renames when complete.
        """
        if self._batches("offsets") or self._batches("commits"):
            return
        for log in ("offsets", "commits"):
            for name in self.list_names(self.path / log):
                if name.startswith("."):
                    with contextlib.suppress(OSError):
                        (self.path / log / name).unlink()

    def _read(self) -> Record | None:
        try:
            text = (self.path / RECORD).read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            self._refuse(f"its file {RECORD} cannot be read: {error}")
        try:
            found = json.loads(text)
            number = int(found["format"])
            if number > _FORMAT:
                self._refuse(
                    f"version {found.get('tableapi')} of tableapi wrote it, and this is version {__version__}, which "
                    "cannot read it. Install that version"
                )
            return Record(
                name=str(found["name"]),
                sink=str(found["sink"]),
                output_mode=str(found["output_mode"]),
                shape=Shape(
                    tuple([read_part(part) for part in found["sources"]]),
                    tuple([read_part(part) for part in found["state"]]),
                    tuple([(str(name), str(kind)) for name, kind in found["columns"]]),
                ),
                query=str(found["query"]),
                is_sql=bool(found["is_sql"]),
                version=str(found["tableapi"]),
            )
        except (ValueError, KeyError, TypeError):
            self._refuse(f"its file {RECORD} is corrupt. Restore the file from a copy of the checkpoint")

    def _refuse(self, problem: str) -> NoReturn:
        raise TableException(f"The checkpoint {self.path} cannot be used: {problem}.{self._ending}")

    # --- a new checkpoint --------------------------------------------------------------------------------------------

    def _require_unused(self, record: Record, directory: str | None) -> None:
        others = sorted(name for name in self.list_names(self.path) if not name.startswith((_LOCK, f".{RECORD}.")))
        if _RESTORING in others:
            if not self._restores:
                self._refuse(
                    "taking over the state of another checkpoint was interrupted. Start the query with restore_from "
                    "again, or give it a new directory"
                )
            others = []
        if "metadata" in others or "offsets" in others:
            self._refuse(
                f"another program started a query with it, and it has no file {RECORD}, so that the queries cannot be "
                "compared. Give this query a new directory"
            )
        if others:
            self._refuse(f"the directory has other files, such as {others[0]!r}. Give the query a new directory")
        if directory is not None:
            _require_no_log(record, directory, self.path)

    # --- a known checkpoint ------------------------------------------------------------------------------------------

    def _compare(self, old: Record, new: Record, describe: DescribeChanges) -> None:
        if old.sink != new.sink:
            raise ValidationException(
                f"The checkpoint {self.path} belongs to another query: that one, {old.name!r}, writes to {old.sink}, "
                f"and this one to {new.sink}. Give this query a name or a checkpoint of its own. Nothing was started."
            )
        changes = list(_list_changes(old, new))
        if not changes:
            return
        may_change = "Filters and projections may change"
        if any(part.call is not None for part in old.shape.state):
            may_change += ", and the state of a process table function may gain, lose and widen fields"
        told = describe(old.query) if old.is_sql else None
        words = "" if not told else "\nThe changes of the query:\n" + "\n".join(f"  {x}" for x in told.splitlines())
        raise ValidationException(
            f"The query changed, and its checkpoint {self.path} does not fit it any more:\n"
            + "\n".join(f"  {change}" for change in changes)
            + words
            + f"\n{may_change}. For another change, start a new query: give it a name or a checkpoint and a sink of "
            "its own. Nothing was started."
        )

    def _require_complete(self, record: Record, directory: str | None) -> None:
        """Check that what Spark needs to continue exists."""
        offsets, commits = self._batches("offsets"), self._batches("commits")
        if not offsets and not commits:
            if directory is not None:
                _require_no_log(record, directory, self.path)
            return
        try:
            json.loads((self.path / "metadata").read_text(encoding="utf-8"))["id"]
        except (OSError, ValueError, KeyError, TypeError):
            self._refuse("its file 'metadata' is lost or corrupt. Restore it from a copy")
        if commits and (not offsets or commits[-1] > offsets[-1]):
            self._refuse(
                f"batch {commits[-1]} is committed, and its offsets are lost. Restore the directory 'offsets' from a "
                "copy"
            )
        for batch in offsets[-2:]:
            self._require_log("offsets", batch)
        for batch in commits[-1:]:
            self._require_log("commits", batch)
        if not commits or offsets[-1] > commits[-1]:
            lost = find_lost_file(self.path, offsets[-1])
            if lost is not None:
                self._refuse(
                    f"batch {offsets[-1]} is not finished and reads the file {lost}, which does not exist any more. "
                    "Restore the file, or put one without rows in its place"
                )
        if record.shape.state and commits and not self.list_names(self.path / "state"):
            self._refuse("batches are committed, and the directory 'state' is lost. Restore it from a copy")
        if directory is not None and commits and not _has_batches(directory):
            raise TableException(
                f"The checkpoint {self.path} has {len(commits)} finished batches, and {directory} has no log of them: "
                "the table was dropped or emptied since. To begin anew, delete the checkpoint. Nothing was started."
            )

    def _require_log(self, log: str, batch: int) -> None:
        try:
            text = (self.path / log / str(batch)).read_bytes()
        except OSError as error:
            self._refuse(f"the file {log}/{batch} cannot be read: {error.strerror or error}")
        if not _VERSION_LINE.match(text):
            self._refuse(
                f"the file {log}/{batch} is corrupt. Delete it with the files of later batches: the batch runs again"
            )

    def _batches(self, log: str) -> list[int]:
        return sorted(int(name) for name in self.list_names(self.path / log) if _BATCH.fullmatch(name))

    @staticmethod
    def list_names(path: Path) -> list[str]:
        """Return the names in a directory, none if there is no such directory."""
        try:
            return os.listdir(path)
        except (FileNotFoundError, NotADirectoryError):
            return []


def _with_forms(old: Record, new: Record) -> Record:
    """Return a record with the forms of states of an earlier one."""
    pairs = zip(old.shape.state, new.shape.state, strict=True)
    state = [
        after
        if before.call is None or after.call is None
        else attrs.evolve(after, call=attrs.evolve(after.call, forms=add_forms(before.call, after.call)))
        for before, after in pairs
    ]
    return attrs.evolve(new, shape=attrs.evolve(new.shape, state=tuple(state)))


def _list_changes(old: Record, new: Record) -> Iterable[str]:
    if old.output_mode != new.output_mode:
        yield f"The output mode was {old.output_mode}, and is {new.output_mode}."
    yield from _compare_sources(old.shape.sources, new.shape.sources)
    yield from _compare_parts("The state", old.shape.state, new.shape.state)
    if old.shape.columns != new.shape.columns:
        yield f"The columns were {_columns(old.shape.columns)}, and are {_columns(new.shape.columns)}."


def _compare_sources(old: tuple[Part, ...], new: tuple[Part, ...]) -> Iterable[str]:
    """Compare the sources; those with names may come, go and change places, as Spark finds their offsets by name."""
    before = {part.name: part for part in old if part.name is not None}
    after = {part.name: part for part in new if part.name is not None}
    if len(before) < len(old) or len(after) < len(new):
        yield from _compare_parts("The sources", old, new)
        return
    for name in [name for name in after if name in before]:
        yield from _compare_parts(f"The source named {name}", (before[name],), (after[name],))


def _compare_parts(subject: str, old: tuple[Part, ...], new: tuple[Part, ...]) -> Iterable[str]:
    if len(old) != len(new):
        yield f"{subject}: there were {_titles(old)}, and there are {_titles(new)}."
        return
    for before, after in zip(old, new, strict=True):
        if before.call is not None and after.call is not None and before.call.uid == after.call.uid:
            refused = compare_states(before.call, after.call).refused
            yield from refused
            if refused:
                continue
        elif before.title != after.title:
            yield f"{subject}: {before.title} became {after.title}."
            continue
        if before.definition != after.definition:
            yield f"{subject}: {after.title} is computed from other columns or by other expressions than before."


def _titles(parts: tuple[Part, ...]) -> str:
    return "; ".join(part.title for part in parts) or "none"


def _columns(columns: tuple[tuple[str, str], ...]) -> str:
    return "(" + ", ".join(f"{name} {kind}" for name, kind in columns) + ")"


# --- the log of Spark's file sink -------------------------------------------------------------------------------------

_LOG: Final = "_spark_metadata"
_OWNER: Final = "_tableapi_stream.json"
"""The file that says which checkpoint the log belongs to; readers skip it, as its name begins with an underscore."""
_ENTRY: Final = re.compile(r"\d+(\.compact)?")


def _has_batches(directory: str) -> bool:
    """Whether the log of Spark's file sink in a directory of this machine lists a finished batch.

    Spark creates the log before the first batch, so that an empty one belongs to a query that was killed at its start.
    """
    path = local_path(directory)
    return path is not None and any(_ENTRY.fullmatch(name) for name in Checkpoint.list_names(path / _LOG))


def _require_no_log(record: Record, directory: str, checkpoint: Path) -> None:
    """Reject a new query into a directory if its rows and the existing rows would hide each other."""
    path = local_path(directory)
    if path is None:
        return
    _require_own(record.sink, path, checkpoint)
    if _has_batches(directory):
        raise TableException(
            f"Another query has written to {record.sink}, and its checkpoint is not {checkpoint}. {_SKIPPED}"
        )
    if any(not name.startswith((".", "_")) for name in Checkpoint.list_names(path)):
        raise TableException(
            f"There are rows in {record.sink} that no streaming query wrote. Readers would see the rows of the query "
            "alone, and not these. Write to a new table, and read both with UNION ALL. Nothing was started."
        )


_SKIPPED: Final = (
    "Spark would skip the first batches of this query, because batches of the same numbers are written already. Start "
    "the query with the checkpoint of the other one, or write to another table. Nothing was started."
)


def _require_own(shown: str, path: Path, checkpoint: Path) -> None:
    """Reject a directory that belongs to the query of another checkpoint, which may not have finished a batch yet."""
    try:
        owner = Path(json.loads((path / _OWNER).read_text(encoding="utf-8"))["checkpoint"])
    except (OSError, ValueError, KeyError, TypeError):
        return
    if owner != checkpoint:
        raise TableException(f"Another query writes to {shown}: its checkpoint is {owner}. {_SKIPPED}")


def claim_directory(directory: str, shown: str, checkpoint: Path) -> None:
    """Record in the directory of a file sink that it belongs to the query of a checkpoint.

    Raises:
        TableException: the directory belongs to another query, or is not writable.
    """
    path = local_path(directory)
    if path is None:
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        with open(path / _OWNER, "x", encoding="utf-8") as file:
            json.dump({"checkpoint": str(checkpoint)}, file)
    except FileExistsError:
        _require_own(shown, path, checkpoint)
    except OSError as error:
        raise TableException(
            f"The directory of {shown} cannot be written: {error.strerror or error}. Nothing was started."
        ) from None


def require_visible(directory: str, shown: str) -> None:
    """Reject a batch insert into a directory of a streaming query, as readers would never see its rows.

    Raises:
        TableException: the directory has the log of a streaming query.
    """
    path = local_path(directory)
    # Readers see nothing outside the log, even while it is empty.
    if path is not None and (path / _LOG).is_dir():
        raise TableException(
            f"A streaming query writes to {shown}, and readers see the files of its log alone: the rows of this insert "
            "would be lost. Write to a table of their own, and read both with UNION ALL."
        )
