"""Tables that changed under a view: what Spark does with the view until it is replaced.

Measured on Spark 3.5 to 4.3 with views whose table was made anew with another type. Since 4.0, a view casts its columns
to the types that it was created with (SCHEMA COMPENSATION). Before, and with SCHEMA BINDING, it is refused unless the
new type is cast without loss (CANNOT_UP_CAST_DATATYPE). With SCHEMA TYPE EVOLUTION it takes the new types.

https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-view.html
"""

from __future__ import annotations

from collections.abc import Iterator

from ir.identifiers import quote
from ir.schema import ResolvedSchema
from ir.types import ArrayType, LogicalType, MapType, RowField, RowType

_COMPENSATED = "Until the view is replaced, Spark casts {column} to {old}, and fails at values that have none."
_BOUND = "Until the view is replaced, Spark {version} refuses to read it, unless {old} has all values of {new}."


def describe_drift(stored: ResolvedSchema, computed: ResolvedSchema, engine: str | None) -> list[str]:
    """Describe how a view's columns changed through its tables since it was created, in sentences.

    Args:
        stored: the columns with which the target stores the view.
        computed: the columns that its query has over the tables as they are now.
        engine: the target for which SQL is written, such as ``spark-3.5``; None for the newest Spark.
    """
    version = (engine or "").removeprefix("spark-")
    until = _BOUND if version.startswith("3.") else _COMPENSATED
    said = []
    for name, old, new in _changed_types(stored, computed):
        types = {"old": old.as_summary_string(), "new": new.as_summary_string()}
        said.append(
            f"A table below has changed: the column {quote(name)} is {types['new']} there now, and the view was made "
            f"with {types['old']}. " + until.format(column=quote(name), version=version, **types)
        )
    return said


def _changed_types(stored: ResolvedSchema, computed: ResolvedSchema) -> Iterator[tuple[str, LogicalType, LogicalType]]:
    for column in stored.columns:
        position = computed.index_of(column.name)
        if position is not None:
            old, new = _all_nullable(column.data_type), _all_nullable(computed.columns[position].data_type)
            if old is not new:
                yield column.name, old, new


def _all_nullable(data_type: LogicalType) -> LogicalType:
    """Return a type with all its parts nullable: catalogs store no nullability of some of them."""
    match data_type:
        case ArrayType():
            return ArrayType(_all_nullable(data_type.element))
        case MapType():
            return MapType(_all_nullable(data_type.key), _all_nullable(data_type.value))
        case RowType():
            return RowType(tuple([RowField(f.name, _all_nullable(f.data_type)) for f in data_type.fields]))
        case _:
            return data_type.as_nullable()
