"""Compares the columns that a statement declares with those of its query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from grammar.schemas import parse_columns
from ir.errors import SqlParserException, ValidationException, did_you_mean, listing
from ir.identifiers import fold, quote
from ir.rendering import Dialect
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType, RowField, RowType
from tableapi.project.findings import Finding
from tableapi.project.pipelines.datasets import Dataset, finding_at
from tableapi.project.pipelines.statements import ChangeFeed, DatasetKind, DeclaredColumn, Definition, NamedPlace

# The columns with the times of a row, and the fields of Spark's own column, by the type of the dimension.
_TIMES: Final = ("__START_AT", "__END_AT")
_METADATA: Final = {1: ("deleteSequence", "upsertSequence"), 2: ("__RECORD_START_AT",)}


def declared_schema(definition: Definition) -> ResolvedSchema | None:
    """Return the columns of a list with types; None if a type is unknown to this library."""
    texts = ", ".join(f"{quote(c.name.text)} {c.type_text}" for c in definition.columns)
    try:
        row = parse_columns(texts, Dialect.SPARK)
    except (SqlParserException, ValidationException):
        return None
    return ResolvedSchema(tuple([Column(field.name, field.data_type) for field in row.fields]))


def change_columns(changes: ChangeFeed, sequence: LogicalType) -> list[Column]:
    """Return the columns that AUTO CDC adds to those of its source, as measured on Spark 4.3.

    Args:
        changes: what AUTO CDC says.
        sequence: the type of SEQUENCE BY.
    """
    times = [Column(name, sequence.as_nullable()) for name in _TIMES] if changes.scd_type == 2 else []
    fields = [RowField(name, sequence.as_nullable()) for name in _METADATA[changes.scd_type]]
    return [*times, Column("__spark_autocdc_metadata", RowType(tuple(fields), nullable=False))]


def check_columns(
    dataset: Dataset, definition: Definition, schema: ResolvedSchema, given: ResolvedSchema | None
) -> Iterator[Finding]:
    """Yield the findings about the columns of a dataset.

    Args:
        dataset: the dataset.
        definition: its statement.
        schema: its columns.
        given: the columns of its query.
    """
    if dataset.kind.is_stored and given is not None:
        yield from _check_query_columns(dataset, definition, given)
    for name in (*definition.partitioned_by, *definition.clustered_by):
        if schema.index_of(name.text) is None:
            hint = did_you_mean(name.text, schema.names)
            yield finding_at(dataset, f"The partition column {name.text} is no column of {dataset.name}.{hint}", name)
    if definition.clustered_by:
        yield finding_at(
            dataset,
            "CLUSTER BY needs a catalog with clustered tables: in Spark's session catalog, a run fails with "
            "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED, though nothing is partitioned.",
            definition.clustered_by[0],
            error=False,
        )


def _check_query_columns(dataset: Dataset, definition: Definition, given: ResolvedSchema) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for name in given.names:
        if fold(name) in seen:
            yield finding_at(dataset, f"The query gives two columns of the name {name}.", definition.name)
            return
        seen[fold(name)] = name
    if not definition.columns:
        return
    if dataset.kind is DatasetKind.VIEW:
        written = [column.name.text for column in definition.columns]
        if len(written) != len(given):
            message = f"The list has {len(written)} columns, and the query gives {len(given)}: {listing(given.names)}."
            yield finding_at(dataset, message, definition.columns[0].name)
        elif written != list(given.names):
            yield finding_at(
                dataset,
                f"The list renames columns, and other datasets of the pipeline see the names of the query: "
                f"{listing(given.names)}. Rename them in the query.",
                definition.columns[0].name,
                error=False,
            )
        return
    yield from check_declared(dataset, definition, given)


def check_declared(dataset: Dataset, definition: Definition, given: ResolvedSchema) -> Iterator[Finding]:
    """Yield the differences between a list of columns with types and the columns of a query."""
    declared = declared_schema(definition)
    if declared is None:
        yield finding_at(dataset, "The list of columns cannot be read.", definition.columns[0].name)
        return
    places = {fold(column.name.text): column.name for column in definition.columns}
    is_complete = all(declared.index_of(name) is not None for name in given.names)
    for column in given.columns:
        index = declared.index_of(column.name)
        if index is None:
            hint = did_you_mean(column.name, declared.names)
            message = f"The query gives the column {column.name}, which the list of columns does not have.{hint}"
            yield finding_at(dataset, message, definition.columns[0].name)
            continue
        wanted = declared.columns[index].data_type
        if not wanted.same_type(column.data_type) or (column.data_type.nullable and not wanted.nullable):
            yield finding_at(
                dataset,
                f"The column {column.name} is declared as {wanted.as_summary_string()}, and the query gives "
                f"{column.data_type.as_summary_string()}.",
                places[fold(column.name)],
            )
    if dataset.kind is DatasetKind.MATERIALIZED_VIEW and is_complete:
        for name in declared.names:
            if given.index_of(name) is None:
                message = f"The list declares the column {name}, which the query does not give."
                yield finding_at(dataset, message + did_you_mean(name, given.names), places[fold(name)])


def placed(columns: Sequence[DeclaredColumn], name: NamedPlace) -> tuple[DeclaredColumn, ...]:
    """Return the columns of a list as if they were written at another place."""
    return tuple([attrs.evolve(column, name=attrs.evolve(column.name, position=name.position)) for column in columns])
