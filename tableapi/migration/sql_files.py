"""The views of SQL files: scripts of CREATE VIEW, CREATE TABLE, USE and SET, or files of one query each.

A view and its sources may be in different files, in any order. Other statements of a script (INSERT, GRANT …) are left
out.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from grammar import statements as st
from grammar.reading import parse_syntax
from ir.errors import SqlParserException, TableException, listing
from ir.identifiers import ObjectIdentifier, fold, parse_path, path_text
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.operations import rename_all
from ir.schema import Column, ResolvedSchema
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.in_memory import InMemoryCatalog
from tableapi.catalog.statements import ViewDefinition
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.environment_settings import EnvironmentSettings
from tableapi.lazy import lazy
from tableapi.migration.folder import relative_path
from tableapi.migration.memory import content_digest
from tableapi.migration.records import Failure, Proof, SourceView
from tableapi.migration.sources import Surroundings, called_by, failure_of, is_stored_in, read_by
from tableapi.migration.view_statements import (
    FileStatement,
    WrittenView,
    is_of_stream,
    read_table,
    read_view,
    statements_in,
    view_word,
    written_path,
)
from tableapi.project.configuration import Configuration, ProjectError
from tableapi.project.environments import adopt_catalog, allow_packages
from tableapi.project.objects import Key, key_of
from tableapi.project.project import Project
from tableapi.project.table_files import declared_table
from tableapi.statements.sql_tables import declares_table, is_of_flink

if TYPE_CHECKING:
    from tableapi.spark import settings as spark_settings
else:
    spark_settings = lazy(__name__, "tableapi.spark.settings")

_QUERIES: Final = frozenset(("SELECT", "WITH", "FROM", "VALUES", "TABLE", "("))
_SHOWN: Final = 60
_MOST_SHOWN: Final = 3
_MISSING: Final = re.compile(r"^Table (\S+) was not found")
_KEY: Final = re.compile(r"[\w.-]+")
_TEMPLATE: Final = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


@attrs.frozen
class _State:
    """The state at a statement: the current database, and the settings that the file has set before."""

    database: str
    settings: Mapping[str, str] = attrs.field(factory=dict)


class SqlFiles:
    """The views of SQL files.

    Args:
        paths: files, and folders whose files ``*.sql`` are read.
        configuration: the project into which they are imported, whose tables and functions they may read.
        dialect: the dialect of the queries.

    Raises:
        ProjectError: a path does not exist, or there is no file.
    """

    def __init__(self, paths: Sequence[Path], configuration: Configuration, dialect: Dialect = Dialect.SPARK) -> None:
        self._paths = paths
        self._files = _files(paths)
        self._configuration = configuration
        self._dialect = dialect
        self._environment = TableEnvironment.create(
            EnvironmentSettings.new_instance().with_built_in_catalog_name("tableapi_import").build()
        )
        adopt_catalog(self._environment, InMemoryCatalog(configuration.catalog_name, configuration.database))
        allow_packages(self._environment, configuration)
        self._views: dict[Key, SourceView] = {}
        self._queries: dict[Key, WrittenView] = {}
        self._skipped: list[str] = []

    @property
    def origin(self) -> str:
        """The files and folders as they were given, so that a folder is the same one after it got a file."""
        shown = [path.as_posix() for path in self._paths[:_MOST_SHOWN]]
        more = len(self._paths) - len(shown)
        return ", ".join(shown) + (f" and {more} more" if more else "")

    @property
    def skipped(self) -> Sequence[str]:
        """The statements that are not views, each with its file, line and first words."""
        return self._skipped

    def stored(self, own: Collection[str] = ()) -> list[SourceView]:
        """Return the views of all files, and read them as far as they can be read."""
        self._adopt_project(own)
        for file in self._files:
            try:
                content = file.read_bytes()
            except OSError as error:
                self._keep(file, "", failure_of(error))
                continue
            text = content.decode("utf-8-sig", "backslashreplace")
            failure = _failure_of_file(content, text)
            if failure is None:
                try:
                    statements = list(statements_in(text))
                except SqlParserException as error:
                    failure = failure_of(error)
            if failure is not None:
                self._keep(file, text, failure)
                continue
            self._take_file(file, statements)
        self._read_all()
        return list(self._views.values())

    def read(self, view: SourceView) -> SourceView:
        """Return a view with its tree, or with the reason why it has none."""
        return self._views[view.key]

    def prove(self, view: SourceView, operation: QueryOperation, *, rows: bool) -> Proof:
        """Return nothing: files have no engine with rows."""
        return Proof()

    # --- statements --------------------------------------------------------------------------------------------------

    def _adopt_project(self, own: Collection[str]) -> None:
        """Make the tables, views and functions of the project known, which the files may read, but for some files."""
        project = Project(self._configuration)
        root = self._configuration.root
        catalog = self._environment.get_catalog(self._configuration.catalog_name)
        views = {key_of(view.identifier): view for view in project.views().values()}
        for database in project.catalog.list_databases():
            self._require_database(database)
            for name in project.catalog.list_tables(database):
                identifier = ObjectIdentifier(name, database, project.catalog.name)
                if key_of(identifier) in views or relative_path(project.file_of(identifier), root) in own:
                    continue
                with contextlib.suppress(TableException):
                    # A broken view of the project is missing here, too.
                    found = project.catalog.get_table(database, name)
                    if isinstance(found, CatalogTable):
                        catalog.create_table(database, name, found, if_not_exists=True)
        for function in project.functions():
            if relative_path(function.file, root) not in own:
                catalog.create_function(
                    str(function.identifier.database), function.identifier.name, function.function, or_replace=True
                )
        graph = {key: {key_of(read) for read in view.own_reads} & views.keys() for key, view in views.items()}
        for key in TopologicalSorter(graph).static_order():
            view = views[key]
            if relative_path(view.file, root) not in own:
                # A view is missing, too, if it reads one of an earlier run that is not there any more.
                with contextlib.suppress(TableException):
                    database, name, is_table = str(view.identifier.database), view.identifier.name, view.kind.is_table
                    self._store(database, name, view.operation, is_table=is_table)

    def _require_database(self, database: str) -> None:
        if not self._environment.get_catalog(self._configuration.catalog_name).database_exists(database):
            self._environment.execute_sql(f"CREATE DATABASE {path_text((database,))}")

    def _store(self, database: str, name: str, query: QueryOperation, *, is_table: bool = False) -> None:
        """Make a view, or a table that a pipeline makes, known to those that read it."""
        if is_table:
            catalog = self._environment.get_catalog(self._configuration.catalog_name)
            catalog.create_table(database, name, CatalogTable(query.schema), if_not_exists=True)
            return
        parts_of(self._environment).tables.create_view(
            path_text((self._configuration.catalog_name, database, name)),
            query,
            or_replace=True,
            if_not_exists=False,
            comment=None,
            column_comments={},
            properties={},
        )

    def _take_file(self, file: Path, statements: Sequence[FileStatement]) -> None:
        state = _State(self._configuration.database)
        is_alone = len([one for one in statements if one.words[0] in _QUERIES]) == 1
        for statement in statements:
            given = statement.words
            view = view_word(given)
            changed = _changed_state(state, statement)
            if changed is not None:
                state = changed
            elif view is not None:
                self._take_view(file, statement, state, view)
            elif given[0] in _QUERIES and is_alone:
                written = WrittenView((file.stem,), ViewDefinition(statement.text, ()), statement.text)
                self._add(file, statement, state, written.path, written)
            elif is_of_stream(given):
                self._take_stream(file, statement, state)
            else:
                reason = self._execute(statement, state) if given[0] == "CREATE" else ""
                if reason is not None:
                    shown = f"{file}:{statement.line}: {_first_words(statement.text)}"
                    self._skipped.append(f"{shown}: {reason}" if reason else shown)

    def _execute(self, statement: FileStatement, state: _State) -> str | None:
        """Create a table, function or database; return the reason if this library cannot."""
        try:
            with self._within(state):
                if not declares_table(statement.tokens) or is_of_flink(statement.tokens):
                    self._environment.execute_sql(statement.text)
                else:
                    self._declare(parse_syntax(statement.text, Dialect.SPARK))
        except Exception as error:
            # Views that need it say that it is missing; the others are imported.
            return failure_of(error).reason.partition("\n")[0]
        return None

    def _declare(self, written: st.CreateTable) -> None:
        """Declare the columns of a table; where its rows are does not matter to a view.

        Raises:
            TableException: the statement lists no columns.
        """
        keys = [key for key in written.options.get("partition keys", ()) if key.transform is None]
        # Hive's form declares columns in PARTITIONED BY.
        listed = [*written.columns, *[key.declared for key in keys if key.declared is not None]]
        columns = [Column(c.name.text, c.data_type, c.comment) for c in listed if isinstance(c, st.DeclaredColumn)]
        if not columns or written.query is not None:
            raise TableException("The statement does not list the columns of the table.")
        schema = ResolvedSchema(tuple(columns))
        table = CatalogTable(
            schema, written.options.get("comment"), partition_keys=tuple([schema.column(key.name).name for key in keys])
        )
        *_, database, name = (self._environment.get_current_database(), *written.name.parts)
        self._require_database(database)
        catalog = self._environment.get_catalog(self._configuration.catalog_name)
        if fold(name) in map(fold, catalog.list_tables(database)):
            catalog.drop_table(database, name)
        catalog.create_table(database, name, table)

    def _take_view(self, file: Path, statement: FileStatement, state: _State, index: int) -> None:
        path = written_path(statement, index + 1)
        try:
            self._add(file, statement, state, path, read_view(statement, index))
        except SqlParserException as error:
            self._add(file, statement, state, path, None, failure_of(error))

    def _take_stream(self, file: Path, statement: FileStatement, state: _State) -> None:
        kind = next((index for index, word in enumerate(statement.words) if word in ("TABLE", "FLOW")), 1)
        path = written_path(statement, kind + 1)
        if statement.words[kind] == "FLOW":
            reason = (
                "It is a flow, which no file of a project has. Put it into the folder of the pipeline, where `tableapi "
                "pipeline build` keeps it."
            )
            self._add(file, statement, state, path, None, Failure(reason, 1, 1))
            return
        try:
            self._add(file, statement, state, path, read_table(statement, kind))
        except SqlParserException as error:
            self._add(file, statement, state, path, None, failure_of(error))

    def _add(
        self,
        file: Path,
        statement: FileStatement,
        state: _State,
        path: Sequence[str],
        written: WrittenView | None,
        failure: Failure | None = None,
    ) -> None:
        if "" in path:
            # A view without a name has that of its file.
            path, written = [part or file.stem for part in path], None
            failure = Failure("A part of its name is empty.", 1, 1)
        database = path[-2] if len(path) > 1 else state.database
        catalog_name = self._configuration.catalog_name
        notes = () if written is None else written.notes
        if len(path) > 2 and fold(path[-3]) != fold(catalog_name):
            notes = (*notes, f"It was in the catalog {path[-3]}, and is in {catalog_name} now.")
        violated = {line.partition(" is ")[0] for line in spark_settings.violations(state.settings)}
        others = [f"{name} = {value}" for name, value in sorted(state.settings.items()) if name in violated]
        doubt = f"It was written for other settings, with which its text may mean something else: {', '.join(others)}."
        facts = [statement.text, sorted(state.settings.items()), state.database, self._dialect.name]
        view = SourceView(
            database,
            path[-1] if path else file.stem,
            ViewDefinition("", ()) if written is None else written.definition,
            state.settings,
            (self._configuration.catalog_name, state.database),
            failure=failure,
            original=statement.text,
            preamble=statement.comments,
            dialect=self._dialect,
            notes=notes,
            doubt=doubt if others else "",
            digest=content_digest(json.dumps(facts)),
            place=f"{file}:{statement.line}",
            storage=None if written is None else written.storage,
        )
        before = self._views.get(view.key)
        if before is not None:
            note = f"{before.place} has a view of this name, too; the later one counts."
            view = attrs.evolve(view, notes=(*view.notes, note))
        self._views[view.key] = view
        self._queries.pop(view.key, None)
        if written is not None:
            self._queries[view.key] = written

    def _keep(self, file: Path, text: str, failure: Failure) -> None:
        """Keep a file that cannot be split into statements."""
        view = SourceView(
            self._configuration.database,
            file.stem,
            ViewDefinition("", ()),
            failure=failure,
            original=text,
            dialect=self._dialect,
            digest=content_digest(text),
            place=str(file),
        )
        self._views[view.key] = view

    # --- queries -----------------------------------------------------------------------------------------------------

    def _read_all(self) -> None:
        """Read all queries, each after those that it reads; in each round, those are read whose tables are known."""
        self._forget_namesakes()
        left = dict(self._queries)
        while left:
            failures: dict[Key, Failure] = {}
            for key, written in left.items():
                try:
                    self._views[key] = self._read(self._views[key], written)
                except Exception as error:
                    failures[key] = failure_of(error)
            if len(failures) == len(left):
                for key, failure in failures.items():
                    found = self._explained(failure)
                    if not found.line:
                        # The whole statement is wrong, such as two columns of one name.
                        found = attrs.evolve(found, line=1, column=1)
                    self._views[key] = attrs.evolve(self._views[key], failure=found)
                return
            left = {key: left[key] for key in failures}

    def _forget_namesakes(self) -> None:
        """Remove the tables and views of the project that have the names of views of the files."""
        catalog = self._environment.get_catalog(self._configuration.catalog_name)
        for database in catalog.list_databases():
            views = set(catalog.list_views(database))
            for name in catalog.list_tables(database):
                if (fold(database), fold(name)) in self._queries:
                    drop = catalog.drop_view if name in views else catalog.drop_table
                    drop(database, name)

    def _explained(self, failure: Failure) -> Failure:
        """Return a failure that also says which other view of the files is missing."""
        missing = _MISSING.search(failure.reason)
        if missing is None:
            return failure
        *_, database, name = parse_path(missing[1])
        other = self._views.get((fold(database), fold(name)))
        if other is None:
            return failure
        return attrs.evolve(failure, reason=f"{failure.reason}\nThe view in {other.place} cannot be read either.")

    def _read(self, view: SourceView, written: WrittenView) -> SourceView:
        collation = view.definition.collation
        if fold(collation) not in ("", "utf8_binary"):
            raise TableException(
                f"It has DEFAULT COLLATION {collation}: the strings in its text are of that collation, which its query "
                f"does not say. Write COLLATE where it is meant, as in 'a' COLLATE {collation}."
            )
        state = _State(view.namespace[-1], view.settings)
        with self._within(state):
            query = self._environment.sql_query(written.query, dialect=self._dialect).query_operation
        # The list of a table of a pipeline comments columns, and does not rename them.
        names = [] if view.storage is not None else [name for name, _ in view.definition.columns]
        if names:
            if len(names) != len(query.schema):
                raise TableException(
                    f"The view names {listing(names)}, and its query gives {listing(query.schema.names)}."
                )
            query = rename_all(query, names)
        self._require_database(view.database)
        self._store(view.database, view.name, query, is_table=view.storage is not None)
        return attrs.evolve(view, operation=query, schema=ResolvedSchema(query.schema.columns))

    @contextlib.contextmanager
    def _within(self, state: _State) -> Iterator[None]:
        """Make a database the current one, and its time zone that of the environment."""
        environment = self._environment
        self._require_database(state.database)
        before = environment.get_current_database()
        environment.use_database(state.database)
        environment.get_config().set_local_timezone(state.settings.get(TIME_ZONE, self._configuration.time_zone))
        try:
            yield
        finally:
            environment.use_database(before)

    # --- what they read ----------------------------------------------------------------------------------------------

    def surroundings(self, views: Sequence[SourceView]) -> Surroundings:
        """Return the tables and functions of the files, and those of the project, that views read."""
        catalog_name = self._configuration.catalog_name
        manager = parts_of(self._environment).runtime.manager
        catalog = self._environment.get_catalog(catalog_name)
        tables: dict[tuple[str, str], CatalogTable] = {}
        functions: dict[tuple[str, str], CatalogFunction] = {}
        for identifier in read_by(views):
            if is_stored_in(identifier, catalog_name):
                tables[str(identifier.database), identifier.name] = declared_table(manager.find(identifier))
        for called in called_by(views):
            if is_stored_in(called, catalog_name):
                _, database, name = called.parts
                function = catalog.get_function(database, name)
                if function is not None:
                    functions[database, name] = function
        return Surroundings(tables, functions)


def _changed_state(state: _State, statement: FileStatement) -> _State | None:
    """Return the state after a statement; None if the statement does not change a known part of it."""
    given = statement.words
    if given[0] == "SET" and "=" in given:
        key, _, value = statement.text[len("SET") :].partition("=")
        if not _KEY.fullmatch(key.strip()):
            return None
        return attrs.evolve(state, settings={**state.settings, key.strip(): value.strip()})
    if given[:3] == ["SET", "TIME", "ZONE"] and len(given) == 4 and given[3][0] in "'\"":
        return attrs.evolve(state, settings={**state.settings, TIME_ZONE: statement.tokens[3].text[1:-1]})
    if given[0] == "RESET":
        key = statement.text[len("RESET") :].strip()
        kept = {name: value for name, value in state.settings.items() if key and name != key}
        return attrs.evolve(state, settings=kept)
    if given[0] == "USE" and len(given) > 1 and given[1] != "CATALOG":
        *_, name = written_path(statement, 2 if given[1] in ("DATABASE", "SCHEMA", "NAMESPACE") else 1)
        return attrs.evolve(state, database=name) if name else None
    return None


def _files(paths: Sequence[Path]) -> list[Path]:
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            found.update(dict.fromkeys(sorted(path.rglob("*.sql"))))
        elif path.is_file():
            found[path] = None
        else:
            raise ProjectError(f"There is no file or folder {path}.")
    if not found:
        raise ProjectError(f"There is no file *.sql in {', '.join(map(str, paths))}.")
    return list(found)


def _failure_of_file(content: bytes, text: str) -> Failure | None:
    """Return why a file has no statements; None if it may have some.

    Args:
        content: the bytes of the file.
        text: its text, in which invalid bytes are escaped.
    """
    plain = content.removeprefix(codecs.BOM_UTF8)
    try:
        plain.decode()
    except UnicodeDecodeError as error:
        before = plain[: error.start].decode()
        reason = f"It is not UTF-8: line {before.count(chr(10)) + 1} has the byte 0x{plain[error.start]:02X}."
        return _failure_at(before, reason)
    template = _TEMPLATE.search(text)
    if template is None:
        return None
    return _failure_at(text[: template.start()], "It is a template. Import the files that are made from it.")


def _failure_at(before: str, reason: str) -> Failure:
    """Return a failure whose place is after a text."""
    return Failure(reason, before.count("\n") + 1, len(before) - before.rfind("\n"))


def _first_words(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1].rstrip() + "…"
