"""Read columns from names with types, SQL text, and the schemas of other libraries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ir.errors import ValidationException
from ir.light_typing import TYPE_CHECKING, Any, TypeAlias
from ir.rendering import Dialect
from ir.schema import Column, ResolvedSchema
from ir.types import LogicalType, RowType
from tableapi.lazy import lazy
from tableapi.members.type_arguments import read_data_type

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql.types import StructType

    from grammar import schemas as grammar_schemas
    from tableapi.data import arrow
    from tableapi.spark import schemas as spark_schemas

    TypeLike = LogicalType | str
    ColumnsLike: TypeAlias = (
        ResolvedSchema
        | RowType
        | str
        | Mapping[str, TypeLike]
        | Sequence[Column | tuple[str, TypeLike]]
        | Iterator[Column | tuple[str, TypeLike]]
        | pyarrow.Schema
        | StructType
    )
else:
    grammar_schemas = lazy(__name__, "grammar.schemas")
    arrow = lazy(__name__, "tableapi.data.arrow")
    spark_schemas = lazy(__name__, "tableapi.spark.schemas")

ACCEPTED = (
    'names with types, such as {"id": "BIGINT NOT NULL"}, a text such as "id BIGINT NOT NULL, name STRING", a Schema, '
    "DataTypes.ROW(…), a schema of Arrow or of PySpark"
)


def columns_of(given: Any) -> list[Column]:
    """Return columns that are given in any supported form except a ``Schema``.

    >>> columns_of({"id": "BIGINT NOT NULL", "name": "STRING"})
    [`id` BIGINT NOT NULL, `name` STRING]
    >>> columns_of("id BIGINT NOT NULL, name STRING COMMENT 'who it is'")
    [`id` BIGINT NOT NULL, `name` STRING]

    Raises:
        SqlParserException: a type cannot be parsed; the message names the column.
        ValidationException: the form is not supported, or a name or a type is invalid.
    """
    if isinstance(given, ResolvedSchema):
        return list(given.columns)
    if isinstance(given, RowType):
        return _fields(given)
    if isinstance(given, str):
        return _fields(_row_of_text(given))
    if isinstance(given, Mapping):
        return [Column(_name(name), column_type(data_type, name)) for name, data_type in given.items()]
    library = type(given).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(given, "field"):
        return [Column(field.name, arrow.logical_type(field.type).with_nullability(field.nullable)) for field in given]
    if library == "pyspark" and hasattr(given, "fields"):
        return spark_schemas.columns_of_struct(given)
    if isinstance(given, Iterable):
        return list(_pairs(given))
    raise _unknown(given)


def column_type(given: Any, column: str) -> LogicalType:
    """Return the type of a column, given as an object or a string.

    Raises:
        SqlParserException: the string is not a type; the message has the column and the position.
        ValidationException: the argument is neither a type nor a string.
    """
    return read_data_type(given, f"The type of the column {column!r}")


def _pairs(given: Iterable[Any]) -> Iterator[Column]:
    for pair in given:
        if isinstance(pair, Column):
            yield pair
        elif isinstance(pair, tuple | list) and len(pair) == 2:
            yield Column(_name(pair[0]), column_type(pair[1], pair[0]))
        else:
            raise _unknown(pair)


def _fields(row: RowType) -> list[Column]:
    return [Column(field.name, field.data_type, field.description) for field in row.fields]


def _row_of_text(text: str) -> RowType:
    return grammar_schemas.parse_columns(text, Dialect.FLINK)


def _name(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"A name of a column is expected, but was given {given!r}.")
    return given


def _unknown(given: Any) -> ValidationException:
    return ValidationException(f"Columns are {ACCEPTED}, but {given!r} was given.")
