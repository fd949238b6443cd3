"""Types the queries of a pipeline without Spark: each dataset after those that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NoReturn

import attrs

from grammar.errors import place
from grammar.lexemes import Token
from grammar.statement_words import words
from ir.errors import (
    CatalogException,
    CatalogNotExistException,
    FunctionNotExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.identifiers import fold, quote
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import sources_of
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import Catalog, CatalogTable, CatalogView, StoredView, Witness
from tableapi.catalog.functions import CatalogFunction
from tableapi.environment.table_environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings
from tableapi.lazy import lazy
from tableapi.project.called_functions import python_functions
from tableapi.project.environments import adopt_catalog, allow_packages
from tableapi.project.findings import ViewCycle
from tableapi.project.project import Project

if TYPE_CHECKING:
    from tableapi.spark.planner import pipeline_calls
else:
    # Few pipelines call Python.
    pipeline_calls = lazy(__name__, "tableapi.spark.planner.pipeline_calls")

Key = tuple[str, ...]
"""The database and the name of a dataset as they are written, or the name of a temporary view alone.

That of a dataset in another catalog has three parts.
"""

# Queries that read files by their path: Spark opens the files to know their columns.
_FILES: Final = frozenset(("avro", "binaryfile", "csv", "delta", "json", "orc", "parquet", "text", "xml"))
# The database in which the columns of temporary views are, out of the sight of queries.
TEMPORARY: Final = "tableapi temporary views"
_NAMED: Final = re.compile(r"`(?:[^`]|``)*`|\w+")


@attrs.frozen
class Typed:
    """The known facts about a dataset.

    Attributes:
        schema: its columns; None if they are unknown.
        error: why its query is invalid; None if nothing is wrong with it.
        why_unknown: why it is not checked; empty if it is checked.
        because_of: the dataset whose error causes this one; empty if there is none.
        temporary: the temporary views that the query reads.
        given: the columns of the query, where others are declared for the dataset.
    """

    schema: ResolvedSchema | None = None
    error: Exception | None = None
    why_unknown: str = ""
    because_of: str = ""
    temporary: tuple[str, ...] = ()
    given: ResolvedSchema | None = None


class _Frame:
    """The query that is being typed, and what came up below it."""

    def __init__(self, key: Key) -> None:
        self.key = key
        self.broken = ""
        self.unchecked = ""
        self.missing = ""


class Resolver:
    """The datasets of a pipeline as relations of an environment.

    Args:
        catalog: the name of the catalog of the pipeline.
        database: the database of names without one.
        names: the datasets.
        define: returns what is known of a dataset; called when a query first reads it.
        project: the project whose tables, views and functions the pipeline reads; None if there is none.
        time_zone: the time zone of the session.
    """

    def __init__(
        self,
        catalog: str,
        database: str,
        names: Iterable[Key],
        define: Callable[[Key], Typed],
        project: Project | None,
        time_zone: str,
    ) -> None:
        self._define = define
        self._project = project
        self._database = database
        self._names = {tuple(map(fold, name)): name for name in names}
        self._temporary = {fold(name[0]): name[0] for name in self._names.values() if len(name) == 1}
        self._created: set[str] = set()
        self._typed: dict[Key, Typed] = {}
        self._frames: list[_Frame] = []
        builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("tableapi_pipeline")
        if project is not None and project.engine is not None:
            builder.with_target(project.engine)
        self._environment = TableEnvironment.create(builder.build())
        self._environment.get_config().set_local_timezone(time_zone)
        inner = None if project is None else project.catalog
        adopt_catalog(self._environment, _PipelineCatalog(catalog, database, inner, self))
        if project is not None:
            allow_packages(self._environment, project.configuration)

    @property
    def databases(self) -> list[str]:
        """The databases of the datasets."""
        return sorted({self._database, *[name[0] for name in self._names.values() if len(name) == 2]})

    def names_in(self, database: str) -> list[str]:
        """Return the names of the datasets of a database."""
        return [name[1] for name in self._names.values() if len(name) == 2 and fold(name[0]) == fold(database)]

    def typed(self, key: Key) -> Typed:
        """Return the known facts about a dataset."""
        if key not in self._typed:
            with self._frame(key):
                self._typed[key] = self._define(key)
        return self._typed[key]

    def type_query(self, text: str, database: str, *, calls_python: bool = False) -> Typed:
        """Return the columns of a query, or why they are unknown.

        Args:
            text: the query.
            database: the database of names without one.
            calls_python: whether the query may call functions in Python, as one of a PipelineProject may.
        """
        files = _file_read(text)
        if files:
            return Typed(why_unknown=f"It reads the files {files}, whose columns Spark alone finds.")
        frame = self._frames[-1]
        before = self._environment.get_current_database()
        self._environment.use_database(database)
        try:
            self._prepare(text)
            operation = self._environment.sql_query(text).query_operation
        except Exception as error:
            return self._judge(error, frame)
        finally:
            self._environment.use_database(before)
        misplaced = _check_calls(operation, text, calls_python=calls_python)
        if misplaced is not None:
            return Typed(error=misplaced)
        read = [source.identifier for source in sources_of(operation) if isinstance(source, Source)]
        temporary = tuple(dict.fromkeys(identifier.name for identifier in read if identifier.is_temporary))
        return Typed(operation.schema, temporary=temporary, given=operation.schema)

    def _judge(self, error: Exception, frame: _Frame) -> Typed:
        """Return the facts about a dataset with an error: it is invalid, or this library cannot check it."""
        message = str(error)
        if isinstance(error, RecursionError):
            # Chains are typed from their end, so that only datasets around a cycle come to this.
            name = ".".join(frame.key[-2:])
            return Typed(error=ViewCycle(f"{name} is in a cycle of many datasets, or reads such a cycle."))
        if frame.broken:
            return Typed(error=error, because_of=frame.broken)
        if frame.unchecked:
            return Typed(why_unknown=f"It reads {frame.unchecked}, which is not checked.")
        if self._project is None and frame.missing:
            return Typed(
                why_unknown=f"It reads {frame.missing}, which the pipeline does not define. The columns of other "
                "tables are those of a project: `tableapi schema pull` writes them."
            )
        if self._project is None and isinstance(error, FunctionNotExistException):
            return Typed(why_unknown=f"{message.partition(chr(10))[0]} A function of the catalog may have this name.")
        if isinstance(error, CatalogNotExistException) or type(error) is TableException:
            return Typed(why_unknown=message.partition("\n")[0])
        return Typed(error=error)

    def _prepare(self, text: str) -> None:
        """Create the temporary views that a query may read, since the environment looks for them first.

        Raises:
            ViewCycle: the query reads a temporary view that is being typed.
            ValidationException: the query names a temporary view in another case.
        """
        tokens = words(text)
        for index, token in enumerate(tokens):
            if not _NAMED.fullmatch(token.text):
                continue
            name = _unquoted(token.text)
            is_read = _is_read(tokens, index)
            spelled = self._temporary.get(fold(name))
            if spelled is None:
                continue
            if spelled != name and is_read:
                refuse_case(spelled, name, place(text, token.position))
            if spelled in self._created:
                continue
            if any(frame.key == (spelled,) for frame in self._frames):
                if is_read:
                    self._refuse_cycle((spelled,), place(text, token.position))
                continue
            found = self.typed((spelled,))
            if found.schema is not None:
                self._created.add(spelled)
                hidden = self._environment.from_path(f"`{TEMPORARY}`.{quote(spelled)}")
                self._environment.create_temporary_view(quote(spelled), hidden)
            elif is_read:
                self._refuse_unreadable((spelled,), found)

    def look_up(self, database: str, name: str) -> ResolvedSchema | None:
        """Return the columns of a dataset; None if the pipeline has none of this name.

        Raises:
            ViewCycle: the dataset is being typed.
            ValidationException: the name is written in another case.
            TableException: the columns of the dataset are unknown.
        """
        if database == TEMPORARY:
            return self._typed[(name,)].schema
        key = self._names.get((fold(database), fold(name)))
        if key is None:
            return None
        if key != (database, name):
            refuse_case(".".join(key), f"{database}.{name}")
        if any(frame.key == key for frame in self._frames):
            self._refuse_cycle(key)
        found = self.typed(key)
        if found.schema is None:
            self._refuse_unreadable(key, found)
        return found.schema

    def note_missing(self, database: str, name: str) -> None:
        """Note that the present query reads what neither the pipeline nor a project has."""
        self._frames[-1].missing = f"{database}.{name}"

    def _refuse_cycle(self, key: Key, where: str = "") -> NoReturn:
        keys = [frame.key for frame in self._frames]
        # The key of a flow has its place before its name.
        shown = " → ".join(".".join(one[-2:]) for one in [*keys[keys.index(key) :], key])
        raise ViewCycle(_at(f"{'.'.join(key)} reads itself: {shown}.", where))

    def _refuse_unreadable(self, key: Key, found: Typed) -> NoReturn:
        name = ".".join(key)
        frame = self._frames[-1]
        if found.error is not None:
            # Of a cycle, each dataset is in it; the others name the first one that is broken.
            frame.broken = name
        else:
            frame.unchecked = name
        raise TableException(f"{name} cannot be read.")

    @contextmanager
    def _frame(self, key: Key) -> Iterator[None]:
        self._frames.append(_Frame(key))
        try:
            yield
        finally:
            self._frames.pop()


def refuse_case(name: str, written: str, where: str = "") -> NoReturn:
    """Refuse a name of a dataset that is written in another case.

    Args:
        name: the name of the dataset.
        written: how it is written.
        where: the line of the text with the name; empty where others add it.

    Raises:
        ValidationException: always.
    """
    message = (
        f"The dataset {name} is written as {written} here. Pipelines compare the names of datasets letter by letter"
    )
    raise ValidationException(_at(f"{message}: write {name}.", where))


def _at(message: str, where: str) -> str:
    return f"{message}\n{where}" if where else message


def _check_calls(operation: QueryOperation, text: str, *, calls_python: bool) -> Exception | None:
    """Return why a pipeline cannot make the calls of functions in Python of a query; None if it can."""
    called = python_functions(operation)
    if not called:
        return None
    if not calls_python:
        message = (
            f"SQL of a pipeline cannot call {called[0]}, a function in Python: Spark's catalog holds none, and a "
            "pipeline may not register one. Declare the dataset in the project, or return query(…) of a "
            "PipelineProject in a Python file."
        )
        return ValidationException(_at(message, _place_of_call(text, called[0], ())))
    try:
        pipeline_calls.require_placed_calls(operation)
    except pipeline_calls.MisplacedCall as error:
        return ValidationException(_at(str(error), _place_of_call(text, error.function, error.columns)))
    except ValidationException as error:
        return error
    return None


def _place_of_call(text: str, function: str, columns: Sequence[str]) -> str:
    """Return the line of a text with the first call of a function that names some columns; empty if there is none."""
    tokens = words(text)
    first = ""
    for index, token in enumerate(tokens[:-1]):
        if fold(_unquoted(token.text)) != fold(function.rpartition(".")[2]) or tokens[index + 1].text != "(":
            continue
        found = place(text, token.position)
        if {fold(column) for column in columns} <= set(_names_within(tokens, index + 1)):
            return found
        first = first or found
    return first


def _names_within(tokens: Sequence[Token], start: int) -> Iterator[str]:
    """Yield the words between a parenthesis and the one that closes it."""
    depth = 0
    for token in tokens[start:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if not depth:
            return
        yield fold(_unquoted(token.text))


def _unquoted(word: str) -> str:
    return word[1:-1].replace("``", "`") if word.startswith("`") else word


def _is_read(tokens: Sequence[Token], index: int) -> bool:
    """Whether a name is that of a relation: it follows FROM or JOIN, and is not part of a longer name."""
    before = tokens[index - 1].text.upper() if index else ""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return before in ("FROM", "JOIN") and after not in (".", "(")


def _file_read(text: str) -> str:
    """Return the first path in a text that a query reads as a table, such as parquet.`/data`; empty without one."""
    tokens = words(text)
    for name, dot, path in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if dot.text == "." and path.text.startswith("`") and "/" in path.text and fold(name.text) in _FILES:
            return f"{name.text}.{path.text}"
    return ""


class _PipelineCatalog(Catalog):
    """The datasets of a pipeline, and below them the tables, views and functions of a project."""

    def __init__(self, name: str, database: str, inner: Catalog | None, resolver: Resolver) -> None:
        super().__init__(name, database)
        self._inner = inner
        self._resolver = resolver

    def list_databases(self) -> list[str]:
        """Return the sorted names of the databases."""
        there = [] if self._inner is None else self._inner.list_databases()
        known = {fold(name) for name in there}
        return sorted([*there, *[name for name in self._resolver.databases if fold(name) not in known], TEMPORARY])

    def database_exists(self, database: str) -> bool:
        """Whether the catalog has a database of this name; without a project, it may have any."""
        return self._inner is None or fold(database) in map(fold, self.list_databases())

    def spell(self, database: str, name: str) -> tuple[str, str]:
        """Return a name as it is written: pipelines compare names letter by letter."""
        return database, name

    def list_tables(self, database: str) -> list[str]:
        """Return the sorted names of the tables and views of a database."""
        return sorted({*self._resolver.names_in(database), *self._inner_names(database)})

    def list_views(self, database: str) -> list[str]:
        """Return an empty list: datasets are read by their columns."""
        return []

    def _inner_names(self, database: str) -> list[str]:
        return self._inner.list_tables(database) if self._inner is not None and self._has(database) else []

    def _has(self, database: str) -> bool:
        return self._inner is not None and self._inner.database_exists(database)

    def stored_table(self, database: str, name: str) -> CatalogTable | CatalogView | StoredView:
        """Return a dataset with its columns, or a table or view of the project."""
        schema = self._resolver.look_up(database, name)
        if schema is not None:
            return CatalogTable(schema)
        if self._inner is not None and self._has(database):
            return self._inner.stored_table(database, name)
        self._resolver.note_missing(database, name)
        raise TableNotExistException(f"There is no table {database}.{name}.")

    def get_table(self, database: str, name: str) -> CatalogTable | CatalogView:
        """Return a dataset with its columns, or a table or view of the project."""
        schema = self._resolver.look_up(database, name)
        if schema is None and self._inner is not None and self._has(database):
            return self._inner.get_table(database, name)
        found = self.stored_table(database, name)
        assert not isinstance(found, StoredView)
        return found

    def witness(self, database: str, name: str, found: CatalogTable | CatalogView | StoredView) -> Witness:
        """Return a witness of a table or view, which does not change during one check."""
        return Witness(self, database, name, found)

    def list_functions(self, database: str) -> list[str]:
        """Return the sorted names of the functions of a database."""
        return self._inner.list_functions(database) if self._inner is not None and self._has(database) else []

    def get_function(self, database: str, name: str) -> CatalogFunction | None:
        """Return a function of the project."""
        return self._inner.get_function(database, name) if self._inner is not None and self._has(database) else None

    def create_view(self, database: str, name: str, view: CatalogView, **options: bool) -> NoReturn:
        """Refuse to change anything: a pipeline is only read."""
        raise CatalogException("A pipeline is read, and not changed.")

    def drop_view(self, database: str, name: str) -> NoReturn:
        """Refuse to change anything: a pipeline is only read."""
        raise CatalogException("A pipeline is read, and not changed.")

    def drop_table(self, database: str, name: str) -> NoReturn:
        """Refuse to change anything: a pipeline is only read."""
        raise CatalogException("A pipeline is read, and not changed.")
