"""Checks a pipeline without Spark: what ``spark-pipelines dry-run`` would refuse, and what its first run would.

`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs

from grammar.errors import place, place_in
from grammar.statement_words import statements_of, words
from ir.errors import SqlParserException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from ir.schema import Column, ResolvedSchema
from tableapi.project.findings import Finding, ViewCycle
from tableapi.project.pipelines.column_checks import (
    change_columns,
    check_columns,
    check_declared,
    declared_schema,
    placed,
)
from tableapi.project.pipelines.datasets import (
    Dataset,
    PipelineCheck,
    finding_at,
    line_and_column,
    without_place,
)
from tableapi.project.pipelines.python_files import PythonDefinition, read_python
from tableapi.project.pipelines.resolution import Key, Resolver, Typed
from tableapi.project.pipelines.specification import Specification, find_specification, read_specification
from tableapi.project.pipelines.statements import (
    DatasetKind,
    Definition,
    NamedPlace,
    UseSchema,
    read_statement,
)
from tableapi.project.project import Project

_TABLE_NAME: Final = re.compile(r"[A-Za-z0-9_]+")
DEFAULT_CATALOG: Final = "spark_catalog"
DEFAULT_DATABASE: Final = "default"


def check_pipeline(folder: Path, project: Project | None = None) -> PipelineCheck:
    """Check the pipeline in a folder and return the findings.

    Args:
        folder: the folder with ``spark-pipeline.yml``.
        project: the project whose tables, views and functions the pipeline reads; without one, a dataset that reads a
            table of the catalog is not checked.

    Raises:
        ProjectError: the folder has no such file, or two.
    """
    specification, findings = read_specification(find_specification(folder))
    return _Checker(specification, findings, project).check()


class _Checker:
    """Checks one pipeline."""

    def __init__(self, specification: Specification, findings: list[Finding], project: Project | None) -> None:
        self._specification = specification
        self._findings = findings
        self._definitions: list[Dataset] = []
        self._has_unknown_flows = False
        configuration = None if project is None else project.configuration
        catalog = DEFAULT_CATALOG if configuration is None else configuration.catalog_name
        self._catalog = specification.catalog or catalog
        self._database = specification.database or DEFAULT_DATABASE
        self._read_files()
        self._datasets = self._without_repeated()
        time_zone = specification.configuration.get("spark.sql.session.timeZone", "UTC")
        self._resolver = Resolver(
            self._catalog,
            self._database,
            [key for key, one in self._datasets.items() if one.kind is not DatasetKind.SINK],
            self._define,
            project,
            _known_zone(time_zone),
        )

    def check(self) -> PipelineCheck:
        self._require_stored()
        for key in self._in_order():
            self._resolver.typed(key)
        typed = [self._with_outcome(one) for one in self._definitions]
        for dataset in self._definitions:
            self._findings += self._check_flow(dataset)
        self._findings += self._without_flows()
        found = sorted(set(self._findings), key=lambda finding: (finding.file, finding.line, finding.subject))
        return PipelineCheck(self._specification.name, tuple(typed), tuple(found))

    def _with_outcome(self, dataset: Dataset) -> Dataset:
        if dataset.kind is DatasetKind.SINK:
            # Its flows have its columns, and nothing reads it.
            return dataset
        if self._datasets.get(dataset.key) is dataset:
            found = self._resolver.typed(dataset.key)
        elif dataset.kind is DatasetKind.FLOW:
            found = self._resolver.typed(_flow_key(dataset))
        else:
            return dataset
        if found.error is not None:
            self._findings.append(self._of_error(dataset, found))
        elif found.schema is not None:
            self._findings += self._check_dataset(dataset, found)
        return attrs.evolve(dataset, schema=found.schema, why_unknown=found.why_unknown)

    # --- files ---

    def _read_files(self) -> None:
        for path in self._specification.definition_files():
            shown = path.relative_to(self._specification.folder).as_posix()
            if path.suffix not in (".sql", ".py"):
                self._note(shown, f"Spark reads files that end with .sql or .py, and refuses {path.name}.", shown)
                continue
            try:
                text = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                self._note(shown, f"The file cannot be read: {error}.", shown)
                continue
            if path.suffix == ".sql":
                self._read_sql(text, shown)
            else:
                definitions, findings = read_python(text, shown)
                self._findings += findings
                self._definitions += [self._of_python(one, shown) for one in definitions]

    def _read_sql(self, text: str, file: str) -> None:
        database = self._database
        try:
            statements = statements_of(text)
        except SqlParserException as error:
            self._note(file, str(error), file, *place_in(str(error)))
            return
        for statement in statements:
            try:
                found = read_statement(statement)
                if isinstance(found, UseSchema):
                    database = found.name.path[-1]
                elif isinstance(found, Definition):
                    self._definitions.append(self._of_definition(found, file, database))
            except SqlParserException as error:
                self._has_unknown_flows = True
                self._note(file, without_place(str(error)), file, *place_in(str(error)))

    def _of_definition(self, found: Definition, file: str, database: str) -> Dataset:
        line, column = line_and_column(found.text, found.name.position)
        path = found.name.path
        if len(path) == 3 and path[0] != self._catalog:
            why = (
                f"It is in the catalog {path[0]}, and a check knows {self._catalog} alone, the catalog of the pipeline."
            )
            return Dataset(found.kind, path, file, line, found, database, why_unknown=why)
        if found.kind is DatasetKind.TEMPORARY_VIEW:
            key: Key = path
        elif found.kind is DatasetKind.FLOW:
            key = (path[-1],)
        else:
            key = (path[-2] if len(path) > 1 else database, path[-1])
        if found.kind.is_stored and not _TABLE_NAME.fullmatch(key[-1]):
            self._note(
                ".".join(key),
                f"{key[-1]} is no name for a table or view of Spark's catalog: use letters, digits and _.",
                file,
                line,
                column,
            )
        return Dataset(found.kind, key, file, line, found, database)

    def _of_python(self, found: PythonDefinition, file: str) -> Dataset:
        parts = tuple(found.name.split("."))
        definition = _statement_of(found)
        if found.kind is DatasetKind.FLOW and definition is None:
            self._has_unknown_flows = True
        alone = found.kind in (DatasetKind.TEMPORARY_VIEW, DatasetKind.FLOW, DatasetKind.SINK)
        if found.kind is DatasetKind.TEMPORARY_VIEW and len(parts) > 1:
            message = f"A temporary view has a name of one part, such as {parts[-1]}, and not {found.name}."
            self._note(found.name, message, file, found.line)
        key = (parts[-1],) if alone else (parts[-2] if len(parts) > 1 else self._database, parts[-1])
        calls_python = found.calls_python
        return Dataset(found.kind, key, file, found.line, definition, self._database, calls_python=calls_python)

    def _without_repeated(self) -> dict[Key, Dataset]:
        """Return the datasets by their keys, and report those whose name an earlier one has."""
        first: dict[Key, Dataset] = {}
        folded: dict[tuple[str, ...], Dataset] = {}
        for one in self._definitions:
            if one.kind is DatasetKind.FLOW:
                continue
            other = first.setdefault(one.key, one)
            alike = folded.setdefault(tuple(map(fold, one.key)), one)
            if other is not one:
                message = f"The pipeline has a {other.kind.value} of this name in {other.file}:{other.line}, too."
                self._note(one.name, f"{message} Rename or remove one.", *one.place)
            elif alike is not one:
                message = (
                    f"The name differs only in case from {alike.name} in {alike.file}:{alike.line}: Spark's catalog "
                    "has one table for both."
                )
                self._note(one.name, message, *one.place)
                del first[one.key]
        return first

    def _require_stored(self) -> None:
        has_errors = any(finding.is_error for finding in self._findings)
        if not has_errors and not any(one.kind.is_stored for one in self._definitions):
            self._note(
                self._specification.file,
                "The pipeline defines no view, materialized view or streaming table, so that Spark refuses to run it.",
                self._specification.file,
                1,
            )

    # --- types ---

    def _in_order(self) -> Iterator[Key]:
        """Yield datasets after those that their queries may read, so that long chains need no deep recursion.

        Datasets in a cycle, and those that may read one, are left out.
        """
        by_name: dict[str, list[Key]] = {}
        for key in self._datasets:
            by_name.setdefault(fold(key[-1]), []).append(key)
        readers: dict[Key, list[Key]] = {key: [] for key in self._datasets}
        missing = dict.fromkeys(self._datasets, 0)
        for key, texts in self._queries().items():
            names = {fold(token.text.strip("`")) for text in texts for token in words(text)}
            # A temporary view may have the name of a table that it reads, but no dataset reads itself.
            for read in {other for name in names for other in by_name.get(name, ()) if other != key}:
                readers[read].append(key)
                missing[key] += 1
        ready = [key for key, count in missing.items() if not count]
        while ready:
            current = ready.pop()
            yield current
            for reader in readers[current]:
                missing[reader] -= 1
                if not missing[reader]:
                    ready.append(reader)

    def _queries(self) -> dict[Key, list[str]]:
        """Return the texts of the queries that determine the columns of each dataset."""
        found: dict[Key, list[str]] = {key: [] for key in self._datasets}
        for dataset in self._definitions:
            definition = dataset.definition
            if definition is None:
                continue
            key = self._target(dataset) if dataset.kind is DatasetKind.FLOW else dataset.key
            if key in found:
                found[key].append(definition.text if definition.query is None else definition.query)
        return found

    def _define(self, key: Key) -> Typed:
        dataset = self._flow_of(key) if key[0] == _FLOWS else self._datasets[key]
        definition = dataset.definition
        if dataset.why_unknown:
            return Typed(why_unknown=dataset.why_unknown)
        if definition is None:
            return Typed(why_unknown="It is defined in Python, which a check does not run.")
        if dataset.kind is DatasetKind.STREAMING_TABLE:
            return self._define_streaming_table(dataset, definition)
        return self._type(dataset, definition)

    def _type(self, dataset: Dataset, definition: Definition) -> Typed:
        """Return the columns of a query, or of the list of columns that is declared for it."""
        if definition.changes is not None:
            return self._type_changes(dataset, definition)
        assert definition.query is not None
        found = self._resolver.type_query(definition.query, dataset.database, calls_python=dataset.calls_python)
        if found.schema is None:
            return found
        if definition.columns and dataset.kind is DatasetKind.MATERIALIZED_VIEW:
            return attrs.evolve(found, schema=declared_schema(definition) or found.schema)
        return found

    def _define_streaming_table(self, dataset: Dataset, definition: Definition) -> Typed:
        """Return the columns of a streaming table: those that are declared, or those of all its flows."""
        own = self._type(dataset, definition) if definition.query is not None or definition.changes else None
        if own is not None and own.schema is None:
            return own
        declared = declared_schema(definition) if definition.columns else None
        if declared is not None:
            return Typed(declared) if own is None else attrs.evolve(own, schema=declared)
        columns: dict[str, Column] = {} if own is None or own.schema is None else _by_name(own.schema)
        flows = [one for one in self._definitions if one.kind is DatasetKind.FLOW and self._target(one) == dataset.key]
        for flow in flows:
            found = self._resolver.typed(_flow_key(flow))
            if found.schema is None:
                return Typed(why_unknown=found.why_unknown or f"Its flow {flow.name} is invalid.")
            for name, column in _by_name(found.schema).items():
                columns.setdefault(name, column)
        if own is None and not flows:
            return Typed(why_unknown="No flow in SQL writes it.")
        schema = ResolvedSchema(tuple(columns.values()))
        return Typed(schema) if own is None else attrs.evolve(own, schema=schema)

    def _type_changes(self, dataset: Dataset, definition: Definition) -> Typed:
        changes = definition.changes
        assert changes is not None
        source = ".".join(f"`{part}`" for part in changes.source.path)
        blank = re.sub(r"[^\n]", " ", definition.text[: changes.source.position])
        found = self._resolver.type_query(f"{blank}FROM {source}"[5:], dataset.database)
        if found.schema is None:
            return found
        for name in (*changes.keys, *changes.included, *changes.excluded):
            if found.schema.index_of(name.text) is None:
                return Typed(error=_misnamed(definition, name, f"The source of AUTO CDC {source}", found.schema))
        excluded = {fold(name.text) for name in changes.excluded}
        included = {fold(name.text) for name in changes.included} or {fold(name) for name in found.schema.names}
        for name in changes.keys:
            if fold(name.text) in excluded or fold(name.text) not in included:
                where = "among the columns that EXCEPT leaves out" if changes.excluded else "not among its COLUMNS"
                message = f"The key {name.text} of AUTO CDC is {where}."
                return Typed(error=SqlParserException(f"{message}\n{place(definition.text, name.position)}"))
        sequence = self._resolver.type_query(f"SELECT {changes.sequence} FROM {source}", dataset.database)
        if sequence.error is not None:
            message = f"SEQUENCE BY {changes.sequence}: {without_place(str(sequence.error))}"
            return Typed(error=SqlParserException(f"{message}\n{place(definition.text, changes.source.position)}"))
        if sequence.schema is None:
            return sequence
        columns = [one for one in found.schema.columns if fold(one.name) in included - excluded]
        return Typed(ResolvedSchema((*columns, *change_columns(changes, sequence.schema.columns[0].data_type))))

    # --- findings ---

    def _check_dataset(self, dataset: Dataset, found: Typed) -> Iterator[Finding]:
        definition = dataset.definition
        if definition is None or found.schema is None:
            return
        yield from self._check_streams(dataset, definition, found)
        if dataset.kind is DatasetKind.VIEW and found.temporary:
            yield finding_at(
                dataset,
                f"A persistent view cannot read the temporary {'views' if len(found.temporary) > 1 else 'view'} "
                f"{listing(found.temporary)}: make this view temporary, or that one persistent.",
                definition.name,
            )
        yield from check_columns(dataset, definition, found.schema, found.given)

    def _check_streams(self, dataset: Dataset, definition: Definition, found: Typed) -> Iterator[Finding]:
        for read in definition.streams:
            other = self._read_by(read, dataset.database)
            if other is not None and not self._is_table(other) and not self._is_streaming(other):
                yield finding_at(
                    dataset,
                    f"The {other.kind.value} {other.name} is no stream: read it without STREAM, or read a table.",
                    read,
                )
        as_stream = {read.path[-1] for read in definition.streams if len(read.path) == 1}
        for name in found.temporary:
            view = self._datasets[(name,)]
            if name not in as_stream and self._is_streaming(view):
                message = f"The temporary view {name} is a stream: read it as STREAM {name}."
                yield finding_at(dataset, message, definition.name)
        is_stream = self._is_streaming(dataset)
        if dataset.kind in (DatasetKind.MATERIALIZED_VIEW, DatasetKind.VIEW) and is_stream:
            yield finding_at(
                dataset,
                f"The query of a {dataset.kind.value} reads no stream: leave STREAM out, or create a streaming table.",
                definition.streams[0],
            )
        if dataset.kind in (DatasetKind.STREAMING_TABLE, DatasetKind.FLOW) and definition.query and not is_stream:
            yield finding_at(
                dataset,
                f"The query of a {dataset.kind.value} reads a stream, such as FROM STREAM orders; this one reads none.",
                definition.name,
            )

    def _read_by(self, read: NamedPlace, database: str) -> Dataset | None:
        if len(read.path) == 1 and read.path in self._datasets:
            return self._datasets[read.path]
        key = (read.path[-2] if len(read.path) > 1 else database, read.path[-1])
        return self._datasets.get(key)

    def _is_table(self, dataset: Dataset) -> bool:
        return dataset.kind in (DatasetKind.MATERIALIZED_VIEW, DatasetKind.STREAMING_TABLE)

    def _is_streaming(self, dataset: Dataset) -> bool:
        """Whether a query reads a stream; a dataset in Python may be one."""
        return dataset.definition is None or bool(dataset.definition.streams)

    # --- flows ---

    def _target(self, flow: Dataset) -> Key:
        assert flow.definition is not None
        target = flow.definition.target
        assert target is not None
        path = target.path
        sink = self._datasets.get((path[-1],))
        if sink is not None and sink.kind is DatasetKind.SINK:
            return sink.key
        return (path[-2] if len(path) > 1 else flow.database, path[-1])

    def _flow_of(self, key: Key) -> Dataset:
        return next(one for one in self._definitions if one.kind is DatasetKind.FLOW and _flow_key(one) == key)

    def _check_flow(self, flow: Dataset) -> Iterator[Finding]:
        definition = flow.definition
        if flow.kind is not DatasetKind.FLOW or definition is None or definition.target is None:
            return
        key = self._target(flow)
        target = self._datasets.get(key)
        if target is None:
            self._has_unknown_flows = True
            hint = did_you_mean(definition.target.text, [one.name for one in self._datasets.values()])
            message = f"The pipeline has no streaming table {definition.target.text}, into which the flow writes.{hint}"
            yield finding_at(flow, message, definition.target)
            return
        if target.kind is not DatasetKind.STREAMING_TABLE and target.definition is not None:
            message = f"A flow writes into a streaming table, and {target.name} is a {target.kind.value}."
            yield finding_at(flow, message, definition.target)
            return
        yield from self._check_flow_name(flow, definition)
        found = self._resolver.typed(_flow_key(flow))
        has_query = definition.changes is None
        if has_query and found.schema is not None and target.definition is not None and target.definition.columns:
            yield from check_declared(
                flow,
                attrs.evolve(definition, columns=placed(target.definition.columns, definition.name)),
                found.schema,
            )
        yield from self._check_other_flows(flow, definition, key, found)

    def _check_flow_name(self, flow: Dataset, definition: Definition) -> Iterator[Finding]:
        # A dataset with a query has a flow of its own, which has its name.
        own = self._datasets.get((flow.database, flow.key[-1]))
        if own is not None and own.definition is not None and own.definition.query is not None:
            yield finding_at(
                flow, f"The {own.kind.value} {own.name} has a flow of this name: rename the flow.", definition.name
            )
        others = [one for one in self._definitions if one.kind is DatasetKind.FLOW and one.key == flow.key]
        if others[0] is not flow:
            message = f"The pipeline has a flow of this name in {others[0].file}:{others[0].line}, too. Rename one."
            yield finding_at(flow, message, definition.name)

    def _check_other_flows(self, flow: Dataset, definition: Definition, target: Key, found: Typed) -> Iterator[Finding]:
        earlier = [
            one
            for one in self._definitions[: self._definitions.index(flow)]
            if one.kind is DatasetKind.FLOW and one.definition is not None and self._target(one) == target
        ]
        if earlier and (definition.changes or any(one.definition and one.definition.changes for one in earlier)):
            message = f"{'.'.join(target)} has more than one flow, and one of them is AUTO CDC, which allows no other."
            yield finding_at(flow, message, definition.name)
            return
        for other in earlier:
            before = self._resolver.typed(_flow_key(other)).schema
            if found.schema is None or before is None:
                continue
            for column in found.schema.columns:
                index = before.index_of(column.name)
                if index is not None and not before.columns[index].data_type.same_type(column.data_type):
                    yield finding_at(
                        flow,
                        f"The column {column.name} is {column.data_type.as_summary_string()} here, and "
                        f"{before.columns[index].data_type.as_summary_string()} in the flow {other.name}.",
                        definition.name,
                    )

    def _without_flows(self) -> Iterator[Finding]:
        """Yield the streaming tables that nothing writes; a flow in Python, or one that is wrong, may write any."""
        if self._has_unknown_flows:
            return
        written = {self._target(one) for one in self._definitions if one.kind is DatasetKind.FLOW and one.definition}
        for dataset in self._datasets.values():
            definition = dataset.definition
            if dataset.kind is not DatasetKind.STREAMING_TABLE or definition is None or dataset.key in written:
                continue
            if definition.query is None and definition.changes is None:
                message = f"Nothing writes {dataset.name}: give it a query with AS, or a CREATE FLOW."
                yield finding_at(dataset, message, definition.name)

    # --- places ---

    def _of_error(self, dataset: Dataset, found: Typed) -> Finding:
        message = str(found.error)
        if not isinstance(found.error, SqlParserException | ValidationException | ViewCycle) and not message:
            message = type(found.error).__name__
        if found.because_of:
            message = f"It reads {found.because_of}, which has a problem."
            return Finding(dataset.name, message, dataset.file, dataset.line, because_of=found.because_of)
        line, column = place_in(message)
        return Finding(dataset.name, without_place(message), dataset.file, line or dataset.line, column)

    def _note(self, subject: str, message: str, file: str, line: int = 0, column: int = 0) -> None:
        self._findings.append(Finding(subject, message, file, line, column))


def _statement_of(found: PythonDefinition) -> Definition | None:
    """Return the statement that says the same as Python; None if there is none."""
    if not found.statement:
        return None
    try:
        statement = read_statement(found.statement)
    except SqlParserException:
        # An argument that is no SQL, such as a name with blanks.
        return None
    return statement if isinstance(statement, Definition) else None


# The key of a flow is apart from those of datasets: a flow is read by nothing.
_FLOWS: Final = "a flow"


def _flow_key(flow: Dataset) -> Key:
    return (_FLOWS, flow.file, str(flow.line), *flow.key)


def _by_name(schema: ResolvedSchema) -> dict[str, Column]:
    return {fold(column.name): column for column in schema.columns}


def _misnamed(definition: Definition, name: NamedPlace, where: str, schema: ResolvedSchema) -> SqlParserException:
    hint = did_you_mean(name.text, schema.names)
    return SqlParserException(f"{where} has no column {name.text}.{hint}\n{place(definition.text, name.position)}")


def _known_zone(name: str) -> str:
    """Return a time zone, or UTC for one that this machine does not know: no type depends on it."""
    try:
        zoneinfo.ZoneInfo(name)
    except (ValueError, OSError):
        return "UTC"
    return name
