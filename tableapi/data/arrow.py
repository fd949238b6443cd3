"""Arrow tables and pandas DataFrames as query sources, typed without Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ir import types as t
from ir.errors import ValidationException
from ir.fine_times import MICROSECOND_DIGITS
from ir.operations.source import InlineSource
from ir.schema import Column, ResolvedSchema
from ir.types import IntervalField, LogicalType
from tableapi.lazy import lazy
from tableapi.members.type_arguments import read_data_type

if TYPE_CHECKING:
    import pandas
    import pyarrow
    import pyarrow as pa
    from pyarrow import types as at
else:
    pa = lazy(__name__, "pyarrow")
    at = lazy(__name__, "pyarrow.types")


def source_of_arrow(data: pyarrow.Table) -> InlineSource:
    """Return the operation that reads an Arrow table.

    Raises:
        ValidationException: ``data`` is not an Arrow table, a column's type is not supported, or a NOT NULL column
            contains NULL.
    """
    if not isinstance(data, pa.Table):
        raise ValidationException(f"from_arrow takes a pyarrow.Table, but was given {data!r:.100}.")
    for position, field in enumerate(data.schema):
        if not field.nullable and data.column(position).null_count:
            raise ValidationException(f"The column {field.name!r} is NOT NULL, and holds NULL.")
    columns = [Column(f.name, logical_type(f.type).with_nullability(f.nullable)) for f in data.schema]
    return InlineSource(data, ResolvedSchema(tuple(columns)), "Arrow table")


def source_of_pandas(frame: pandas.DataFrame, schema: Any) -> InlineSource:
    """Return the operation that reads a pandas DataFrame.

    Raises:
        ValidationException: ``frame`` is not a pandas DataFrame, a column's type is not supported, or a column does not
            fit the schema.
    """
    if not hasattr(type(frame), "set_axis"):
        raise ValidationException(f"from_pandas takes a DataFrame of pandas, but was given {frame!r:.100}.")
    if isinstance(schema, str):
        schema = read_data_type(schema, "The schema of the frame")
    if isinstance(schema, list | tuple) and schema and all(isinstance(kind, LogicalType) for kind in schema):
        if len(schema) != len(frame.columns):
            raise ValidationException(
                f"The schema has {len(schema)} types, and the frame {len(frame.columns)} columns."
            )
        schema = t.RowType(tuple([t.RowField(str(n), kind) for n, kind in zip(frame.columns, schema, strict=True)]))
    names = _list_names(schema)
    if names is not None:
        if len(names) != len(frame.columns):
            raise ValidationException(f"The schema has {len(names)} names, and the frame {len(frame.columns)} columns.")
        frame = frame.set_axis(names, axis="columns")
    frame = frame.rename(columns=str)
    try:
        data = pa.Table.from_pandas(frame, preserve_index=False)
        if isinstance(schema, t.RowType):
            data = data.cast(
                pa.schema([pa.field(f.name, arrow_type(f.data_type), f.data_type.nullable) for f in schema.fields])
            )
    except (pa.ArrowException, ValueError) as error:
        raise ValidationException(f"The pandas DataFrame cannot be read: {error}") from None
    return source_of_arrow(data.replace_schema_metadata(None))


def _list_names(schema: Any) -> list[str] | None:
    if schema is None:
        return None
    if isinstance(schema, t.RowType):
        return [f.name for f in schema.fields]
    if isinstance(schema, Iterable) and all(isinstance(name, str) for name in schema):
        return list(schema)
    raise ValidationException(f"The schema must be names with types, or names, or a list of types, but is {schema!r}.")


def logical_type(given: Any) -> LogicalType:
    """Convert an Arrow type to a nullable logical type.

    Raises:
        ValidationException: the type is not supported.
    """
    simple = {
        "bool": t.BOOLEAN,
        "int8": t.TINYINT,
        "int16": t.SMALLINT,
        "int32": t.INT,
        "int64": t.BIGINT,
        "uint8": t.SMALLINT,
        "uint16": t.INT,
        "uint32": t.BIGINT,
        "float": t.FLOAT,
        "double": t.DOUBLE,
        "string": t.STRING,
        "large_string": t.STRING,
        "string_view": t.STRING,
        "binary": t.BYTES,
        "large_binary": t.BYTES,
        "date32[day]": t.DATE,
        "null": t.NULL,
    }
    found = simple.get(str(given))
    if found is not None:
        return found
    if at.is_decimal(given) and given.precision <= t.MAX_DECIMAL_PRECISION and 0 <= given.scale <= given.precision:
        return t.DecimalType(given.precision, given.scale)
    if at.is_timestamp(given):
        return t.TIMESTAMP if given.tz is None else t.TIMESTAMP_LTZ
    if at.is_time(given):
        return t.TimeType(9 if str(given) == "time64[ns]" else 6)
    if at.is_duration(given):
        return t.DayTimeIntervalType(IntervalField.DAY, IntervalField.SECOND)
    if at.is_dictionary(given):
        return logical_type(given.value_type)
    if at.is_map(given):
        return t.MapType(logical_type(given.key_type), logical_type(given.item_type))
    if at.is_list(given) or at.is_large_list(given):
        return t.ArrayType(logical_type(given.value_type).with_nullability(given.value_field.nullable))
    if at.is_struct(given):
        return t.RowType(tuple(t.RowField(f.name, logical_type(f.type).with_nullability(f.nullable)) for f in given))
    raise ValidationException(f"Values of the Arrow type {given} have no type in queries; cast the column first.")


def arrow_type(data_type: LogicalType) -> Any:
    """Convert a logical type to an Arrow type.

    Raises:
        ValidationException: the type is not supported.
    """
    simple = {
        t.BooleanType: pa.bool_(),
        t.TinyIntType: pa.int8(),
        t.SmallIntType: pa.int16(),
        t.IntType: pa.int32(),
        t.BigIntType: pa.int64(),
        t.FloatType: pa.float32(),
        t.DoubleType: pa.float64(),
        t.CharType: pa.string(),
        t.VarCharType: pa.string(),
        t.StringType: pa.string(),
        t.BytesType: pa.binary(),
        t.DateType: pa.date32(),
        t.TimestampType: pa.timestamp("us"),
        t.LocalZonedTimestampType: pa.timestamp("us", "UTC"),
        t.DayTimeIntervalType: pa.duration("us"),
        t.NullType: pa.null(),
    }
    found = simple.get(type(data_type))
    if found is not None:
        return found
    if isinstance(data_type, t.TimeType):
        return pa.time64("ns" if data_type.precision > MICROSECOND_DIGITS else "us")
    if isinstance(data_type, t.DecimalType):
        return pa.decimal128(data_type.precision, data_type.scale)
    if isinstance(data_type, t.ArrayType):
        return pa.list_(pa.field("element", arrow_type(data_type.element), data_type.element.nullable))
    if isinstance(data_type, t.MapType):
        return pa.map_(arrow_type(data_type.key), arrow_type(data_type.value))
    if isinstance(data_type, t.RowType):
        return pa.struct([pa.field(f.name, arrow_type(f.data_type), f.data_type.nullable) for f in data_type.fields])
    raise ValidationException(f"Arrow has no type for {data_type.as_summary_string()}.")
