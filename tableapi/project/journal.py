"""The journal of a target: who deployed what, when, and from which revision."""

from __future__ import annotations

import datetime as dt
import getpass
import json
import os
import random
import subprocess
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException
from ir.identifiers import ObjectIdentifier
from tableapi.catalog.statements import string
from tableapi.lazy import lazy
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.permissions import is_refusal

if TYPE_CHECKING:
    from tableapi.spark import errors as spark_errors
else:
    spark_errors = lazy(__name__, "tableapi.spark.errors")

TABLE: Final = "tableapi_deployments"
FAILED: Final = "failed"
OF_FUNCTION: Final = " function"
# How long to wait before an entry is written again, in seconds.
_PAUSES: Final = (0.3, 0.6, 1.2, 2.4, 4.8)
_FILE: Final = Path(".tableapi") / "deployments.jsonl"


@attrs.frozen
class Entry:
    """A change that a deployment made.

    Attributes:
        deployment: the identifier of the deployment, which its entries share.
        at: when the change was made, in UTC.
        by: who made it.
        project: the name of the project.
        environment: the environment; empty for production.
        revision: the revision of the project; empty if it is unknown.
        action: what is done: create, replace, adopt or drop, with ``function`` behind it if it is of a function;
            ``failed`` if the change of the entry before failed.
        view: the full name of the view or function, with its parts quoted where they need it.
        words: what changed, as sentences.
        before: the text of the query before; empty if there was none.
        after: the text afterwards; empty if the view was dropped.
        definition: all that can be restored of the view before, as JSON (``ViewState``); empty if there was no view,
            and in entries of versions that recorded none.
    """

    deployment: str
    at: str
    by: str
    project: str
    environment: str
    revision: str
    action: str
    view: str
    words: str
    before: str
    after: str
    definition: str = ""

    @property
    def is_change(self) -> bool:
        """Whether the entry is of a change, rather than of its failure."""
        return self.action != FAILED

    @property
    def is_of_function(self) -> bool:
        """Whether the entry is of the change of a function."""
        return self.action.endswith(OF_FUNCTION)

    @property
    def is_drop(self) -> bool:
        """Whether the view or function was dropped."""
        return self.action.partition(" ")[0] == "drop"


_COLUMNS: Final = tuple([field.name for field in attrs.fields(Entry)])


def now() -> str:
    """Return the current time in UTC, as ISO 8601 with microseconds, by which a journal in a table is sorted."""
    return dt.datetime.now(dt.timezone.utc).isoformat(timespec="microseconds")


def current_user() -> str:
    """Return the name of the user who runs this program."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        # The process runs under a number without a name, as in containers.
        return "unknown"


def current_revision(root: Path) -> str:
    """Return the revision of a folder in git, with ``+`` if files have changed since; empty outside of git."""

    def git(*arguments: str) -> str | None:
        try:
            # Without the option, status writes what it found into the index.
            command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    revision = git("rev-parse", "--short=12", "HEAD")
    if not revision:
        return ""
    return f"{revision}+" if git("status", "--porcelain", "--", ".") else revision


def _first_line(error: TableException) -> str:
    return str(error).partition("\n")[0]


def _drop_incomplete_line(file: IO[bytes]) -> None:
    """Cut what a process that was killed wrote of its last line."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    whole = file.read().rfind(b"\n") + 1
    if whole < size:
        file.truncate(whole)


class Journal:
    """The journal of a target: a file of a directory catalog, or a table of the target's journal database."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._is_ready = False

    @property
    def place(self) -> str:
        """Where the journal is; empty if the target has none."""
        settings = self._deployment.settings
        if settings.directory is not None:
            return str(settings.directory / _FILE)
        return "" if settings.journal is None else self._table()

    def add(self, entry: Entry) -> None:
        """Add an entry.

        Raises:
            TableException: the journal cannot be written.
        """
        settings = self._deployment.settings
        if settings.directory is not None:
            path = settings.directory / _FILE
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("ab+") as file:
                    _drop_incomplete_line(file)
                    file.write(json.dumps(attrs.asdict(entry)).encode() + b"\n")
            except OSError as error:
                raise ProjectError(
                    f"The journal {path} cannot be written: {error.strerror}. The step {entry.action} {entry.view} is "
                    "not made; what was made before it stays."
                ) from None
        elif settings.journal is not None:
            try:
                self._make_table()
            except TableException as error:
                raise ProjectError(
                    f"The journal {self._table()} cannot be made, so nothing was changed: {_first_line(error)}"
                    f"{self._advice(error)}"
                ) from error
            names = ", ".join(f"`{name}`" for name in _COLUMNS)
            values = ", ".join(string(value) for value in attrs.astuple(entry))
            self._insert(f"INSERT INTO {self._table()} ({names}) VALUES ({values})", entry)

    def _advice(self, error: TableException) -> str:
        if not is_refusal(error):
            return ""
        section = f"[targets.{self._deployment.settings.name}]"
        return (
            f" Ask for the permission to write that table, or let journal in {section} of tableapi.toml name a "
            "database whose tables you may write."
        )

    def _insert(self, statement: str, entry: Entry) -> None:
        """Run the INSERT of an entry, again if another deployer writes at the same time.

        Two jobs of Spark that write files to one table share a folder for what is not committed, and the first that
        ends deletes it. An entry may then be there twice, which ``entries`` notices.
        """
        for pause in (*_PAUSES, None):
            try:
                self._deployment.environment.execute_sql(statement).wait()
            except spark_errors.SparkExecutionException as error:
                if pause is None or is_refusal(error):
                    raise ProjectError(
                        f"The journal {self._table()} cannot be written, so the step {entry.action} {entry.view} is "
                        "not made. What was made before it stays; plan and apply again for the rest. Spark says: "
                        f"{_first_line(error)}{self._advice(error)}"
                    ) from error
                time.sleep(pause * random.uniform(0.5, 1.5))
            else:
                return

    def entries(self) -> list[Entry]:
        """Return all entries, the oldest first.

        Raises:
            TableException: the journal cannot be read.
        """
        settings = self._deployment.settings
        if settings.directory is not None:
            return list(self._read_file(settings.directory / _FILE))
        if settings.journal is None:
            raise TableException(
                f"The target {settings.name} keeps no journal. Give it journal = 'database' in tableapi.toml."
            )
        if not self._table_exists():
            return []
        # A session keeps the list of a table's files, to which deployers in other sessions add.
        self._deployment.environment.execute_sql(f"REFRESH TABLE {self._table()}").wait()
        result = self._deployment.environment.execute_sql(f"SELECT * FROM {self._table()} ORDER BY at")
        names = self._deployment.environment.from_path(self._table()).get_resolved_schema().names
        rows = [dict(zip(names, row, strict=True)) for row in result.collect()]
        # A column that was added later is NULL in older rows.
        found = [Entry(**{name: row[name] for name in _COLUMNS if row.get(name) is not None}) for row in rows]
        return list(dict.fromkeys(found))

    def _read_file(self, path: Path) -> Iterator[Entry]:
        try:
            # A process that was killed while it wrote leaves a part of a line, whose change it did not make.
            lines: Iterable[str] = path.read_text("utf-8").split("\n")[:-1]
        except FileNotFoundError:
            return
        for number, line in enumerate(lines, 1):
            try:
                said: dict[str, Any] = json.loads(line)
                yield Entry(**said)
            except (ValueError, TypeError):
                raise TableException(f"The journal {path} is damaged in line {number}.") from None

    # --- the table ---------------------------------------------------------------------------------------------------

    def _table(self) -> str:
        catalog, database = self._deployment.configuration.catalog_name, self._deployment.settings.journal
        return ObjectIdentifier(TABLE, str(database), catalog).as_serializable_string()

    def _table_exists(self) -> bool:
        catalog, database = self._deployment.catalog, str(self._deployment.settings.journal)
        return catalog.database_exists(database) and TABLE in catalog.list_tables(database)

    def _make_table(self) -> None:
        if self._is_ready:
            return
        environment, database = self._deployment.environment, str(self._deployment.settings.journal)
        if self._table_exists():
            present = environment.from_path(self._table()).get_resolved_schema().names
            missing = ", ".join(f"`{name}` STRING" for name in _COLUMNS if name not in present)
            if missing:
                environment.execute_sql(f"ALTER TABLE {self._table()} ADD COLUMNS ({missing})").wait()
            self._is_ready = True
            return
        columns = ", ".join(f"`{name}` STRING" for name in _COLUMNS)
        if not self._deployment.catalog.database_exists(database):
            self._deployment.catalog.create_database(database)
        environment.execute_sql(f"CREATE TABLE IF NOT EXISTS {self._table()} ({columns}) USING parquet")
        self._is_ready = True
