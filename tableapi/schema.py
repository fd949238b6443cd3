"""Declared schemas: columns, computed columns and constraints of tables to be created."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir import light_attrs as attrs
from ir.errors import (
    FunctionNotExistException,
    SqlParserException,
    TableException,
    ValidationException,
    did_you_mean,
    listing,
)
from ir.expressions import Expression as Unresolved
from ir.identifiers import NameMap, ObjectIdentifier, fold, quote
from ir.light_typing import TYPE_CHECKING, Any, TypeAlias
from ir.schema import Column, ResolvedSchema
from ir.types import IntegralType, LocalZonedTimestampType, LogicalType, RowField, RowType, TimestampType
from tableapi.declarations.declared_columns import (
    FILE_METADATA_KEYS,
    FILE_METADATA_OF_FLINK,
    MESSAGE_METADATA_KEYS,
    RECORD_METADATA_KEYS,
    ComputedColumn,
    MetadataColumn,
    MetadataKey,
    PhysicalColumn,
    SchemaColumn,
)
from tableapi.declarations.schema_columns import column_type, columns_of
from tableapi.expression import Expression, unwrap
from tableapi.lazy import lazy
from tableapi.members.type_arguments import read_data_type
from tableapi.tracebacks import boundaries
from tableapi.types import DataType

if TYPE_CHECKING:
    import contextlib
    import re

    from ir import implicit_notices
    from ir.operations import source
    from ir.resolution import lookup, operations
    from tableapi.declarations import schema_rules
    from tableapi.declarations.schema_columns import ColumnsLike
    from tableapi.declarations.schema_rules import ColumnRule, SchemaConstraint

    Columns: TypeAlias = "Schema | ColumnsLike"
else:
    contextlib = lazy(__name__, "contextlib")
    re = lazy(__name__, "re")
    implicit_notices = lazy(__name__, "ir.implicit_notices")
    source = lazy(__name__, "ir.operations.source")
    lookup = lazy(__name__, "ir.resolution.lookup")
    operations = lazy(__name__, "ir.resolution.operations")
    schema_rules = lazy(__name__, "tableapi.declarations.schema_rules")

__all__ = ["Schema"]


_NO_EPOCH = " Spark's source of Kafka does not read the leader epoch."


@boundaries
@attrs.frozen(repr=False)
class Schema:
    """The declared columns of a table, built with ``Schema.new_builder()``.

    A watermark holds for the queries over the table if it is a stream, and has no effect otherwise. A primary key is
    stored in the schema, and Spark does not enforce it. Defaults, generated columns and other constraints need a table
    in a catalog of Spark whose format supports them, such as Delta Lake.

    >>> Schema.new_builder().column("id", "INT NOT NULL").column("price", "DECIMAL(8, 2)").build()
    (
      `id` INT NOT NULL,
      `price` DECIMAL(8, 2)
    )
    """

    columns: tuple[SchemaColumn, ...] = ()
    primary_key_columns: tuple[str, ...] = ()
    primary_key_name: str | None = None
    watermarks: tuple[tuple[str, Unresolved | str], ...] = ()
    constraints: tuple[SchemaConstraint, ...] = ()

    @staticmethod
    def new_builder() -> Schema.Builder:
        """Return a schema builder."""
        return Schema.Builder()

    @staticmethod
    def of(columns: Columns) -> Schema:
        """Return a schema of stored columns.

        >>> Schema.of({"id": "INT NOT NULL", "price": "DECIMAL(8, 2)"})
        (
          `id` INT NOT NULL,
          `price` DECIMAL(8, 2)
        )

        Args:
            columns: names with types, which may be strings; one string with all columns; a ROW type; a schema of Arrow
                or PySpark; or a ``Schema``, which is returned unchanged.

        Raises:
            SqlParserException: a type cannot be parsed; the message names the column.
            ValidationException: the argument is of another kind, or two columns have the same name.
        """
        if isinstance(columns, Schema):
            return columns
        made = Schema.new_builder()
        made._add(*[PhysicalColumn(c.name, c.data_type, c.comment) for c in columns_of(columns)])
        return made.build()

    @property
    def physical_columns(self) -> tuple[PhysicalColumn, ...]:
        """The stored columns."""
        return tuple([column for column in self.columns if isinstance(column, PhysicalColumn)])

    @property
    def has_rules(self) -> bool:
        """Whether there are defaults, generated columns, or constraints other than a primary key."""
        return bool(self.constraints) or any(column.rule is not None for column in self.physical_columns)

    def __repr__(self) -> str:
        lines = [repr(column) for column in self.columns]
        for column, expression in self.watermarks:
            shown = expression if isinstance(expression, str) else repr(Expression(expression))
            lines.append(f"WATERMARK FOR {quote(column)} AS {shown}")
        if self.primary_key_columns:
            name = f"CONSTRAINT {quote(self.primary_key_name)} " if self.primary_key_name else ""
            lines.append(f"{name}PRIMARY KEY ({', '.join(map(quote, self.primary_key_columns))}) NOT ENFORCED")
        lines += map(repr, self.constraints)
        return "(\n  " + ",\n  ".join(lines) + "\n)" if lines else "()"

    @boundaries
    class Builder:
        """Builds a schema; every method returns the builder."""

        def __init__(self) -> None:
            self._columns: NameMap[SchemaColumn] = NameMap()
            self._key: tuple[str, ...] = ()
            self._key_name: str | None = None
            self._watermarks: list[tuple[str, Unresolved | str]] = []
            self._constraints: list[SchemaConstraint] = []

        def from_schema(self, unresolved_schema: Schema) -> Schema.Builder:
            """Add everything that another schema declares.

            Raises:
                ValidationException: the argument is not a schema, or contains a name or constraint that the builder
                    already has.
            """
            if not isinstance(unresolved_schema, Schema):
                raise ValidationException(f"from_schema takes a Schema, but was given {unresolved_schema!r}.")
            self._add(*unresolved_schema.columns)
            for name, expression in unresolved_schema.watermarks:
                self._set_watermark(name, expression)
            if unresolved_schema.primary_key_columns:
                self._set_key(unresolved_schema.primary_key_columns, unresolved_schema.primary_key_name)
            for constraint in unresolved_schema.constraints:
                self._constrain(constraint)
            return self

        def from_resolved_schema(self, resolved_schema: ResolvedSchema) -> Schema.Builder:
            """Add the columns of a table's schema.

            Raises:
                ValidationException: the argument is not the schema of a table, or a column already exists.
            """
            if not isinstance(resolved_schema, ResolvedSchema):
                raise ValidationException(
                    "from_resolved_schema takes the schema of a table, as in table.get_resolved_schema(), but was "
                    f"given {resolved_schema!r}."
                )
            return self._add(*[PhysicalColumn(c.name, c.data_type, c.comment) for c in resolved_schema.columns])

        def from_row_data_type(self, data_type: DataType) -> Schema.Builder:
            """Add the fields of a ROW type as columns.

            Raises:
                ValidationException: the type is not ROW, or a column already exists.
            """
            if not isinstance(data_type, RowType):
                raise ValidationException(f"from_row_data_type takes a ROW type, but was given {data_type!r}.")
            return self._add(*[PhysicalColumn(f.name, f.data_type, f.description) for f in data_type.fields])

        def from_fields(self, field_names: Sequence[str], field_data_types: Sequence[DataType]) -> Schema.Builder:
            """Add columns by names and types.

            Raises:
                ValidationException: the numbers of names and types differ, or a column already exists.
            """
            for given in (field_names, field_data_types):
                if isinstance(given, str) or not isinstance(given, Sequence):
                    raise ValidationException(
                        f"from_fields takes a list of names and a list of types, but was given {given!r}."
                    )
            if len(field_names) != len(field_data_types):
                raise ValidationException(
                    f"from_fields takes as many types as names, but was given {len(field_names)} names and "
                    f"{len(field_data_types)} types."
                )
            for name, data_type in zip(field_names, field_data_types, strict=True):
                self.column(name, data_type)
            return self

        def column(self, column_name: str, data_type: str | DataType) -> Schema.Builder:
            """Add a stored column.

            Args:
                column_name: the name of the column.
                data_type: its type, or a string such as ``"DECIMAL(10, 2) NOT NULL"``.

            Raises:
                SqlParserException: the string is not a type; the message has the position.
                ValidationException: the name or type is invalid, or the column already exists.
            """
            return self._add(PhysicalColumn(_name(column_name), column_type(data_type, column_name)))

        def column_by_expression(self, column_name: str, expr: str | Expression[Any]) -> Schema.Builder:
            """Add a column that is computed from stored columns when the table is read.

            Args:
                column_name: the name of the column.
                expr: an expression, or SQL text; only text that this library cannot resolve needs a running session.

            Raises:
                ValidationException: the argument is neither, or the column already exists.
            """
            return self._add(ComputedColumn(_name(column_name), _expression(expr, column_name)))

        def column_by_metadata(
            self,
            column_name: str,
            data_type: str | DataType,
            metadata_key: MetadataKey | None = None,
            is_virtual: bool = False,
        ) -> Schema.Builder:
            """Add a column with metadata of the file or of the broker's record that a row comes from.

            Args:
                column_name: the name of the column.
                data_type: its type, to which the metadata is cast.
                metadata_key: of files, ``file_path``, ``file_name``, ``file_size``, ``file_block_start``,
                    ``file_block_length`` or ``file_modification_time``, or Flink's name, such as ``file.path``; of
                    Kafka, ``topic``, ``partition``, ``offset``, ``timestamp``, ``timestamp-type``, ``headers``,
                    ``key``, ``value`` or ``error``; of NATS, ``subject``, ``sequence``, ``time``, ``headers`` or
                    ``error``; by default the column's name.
                is_virtual: whether the column is read-only; metadata of files always is.

            Raises:
                TableException: no connector has such metadata; the message suggests the nearest name.
                ValidationException: the column already exists.
            """
            key = str(metadata_key or column_name).removeprefix("_metadata.")
            key = FILE_METADATA_OF_FLINK.get(key, key)
            known = (*FILE_METADATA_KEYS, *RECORD_METADATA_KEYS, *MESSAGE_METADATA_KEYS)
            if key not in known:
                raise TableException(
                    f"The column {column_name!r} asks for the metadata {key!r}, which no connector has. Rows of files "
                    f"have {listing(FILE_METADATA_KEYS)}; records of Kafka have {listing(RECORD_METADATA_KEYS)}; "
                    f"messages of NATS have {listing(MESSAGE_METADATA_KEYS)}."
                    + (_NO_EPOCH if key == "leader-epoch" else did_you_mean(key, known))
                )
            is_of_file = key in FILE_METADATA_KEYS
            data_type = column_type(data_type, column_name)
            return self._add(MetadataColumn(_name(column_name), data_type, key, None, is_virtual or is_of_file))

        def with_comment(self, comment: str | None) -> Schema.Builder:
            """Set the comment of the last column.

            Raises:
                ValidationException: there is no column yet, or the comment is not a string.
            """
            if comment is not None and not isinstance(comment, str):
                raise ValidationException(f"with_comment takes a text, but was given {comment!r}.")
            if not len(self._columns):
                raise ValidationException("with_comment is for the column before it, and there is none yet.")
            last = list(self._columns)[-1]
            self._columns[last] = attrs.evolve(self._columns[last], comment=comment)
            return self

        def with_default(self, value: Any) -> Schema.Builder:
            """Set the value of the last column in rows that are inserted without one.

            Args:
                value: a value, or a constant expression.

            Raises:
                ValidationException: the last column is not a stored one, or has a rule already.

            >>> from tableapi.expressions import current_timestamp
            >>> builder = Schema.new_builder().column("id", "BIGINT").column("state", "STRING").with_default("new")
            >>> builder.column("at", "TIMESTAMP_LTZ").with_default(current_timestamp()).build()
            (
              `id` BIGINT,
              `state` STRING DEFAULT 'new',
              `at` TIMESTAMP_LTZ DEFAULT currentTimestamp()
            )

            Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html
            """
            return self._rule(schema_rules.ColumnDefault(unwrap(value)), "with_default")

        def generated_as(self, expr: str | Expression[Any]) -> Schema.Builder:
            """Compute the last column from other columns when a row is written; the value is stored.

            Args:
                expr: an expression, or SQL text.

            Raises:
                ValidationException: the argument is neither, or the last column is not a stored one or has a rule.

            >>> Schema.new_builder().column("a", "INT").column("twice", "INT").generated_as("a * 2").build()
            (
              `a` INT,
              `twice` INT GENERATED ALWAYS AS (a * 2)
            )

            Source: https://docs.delta.io/latest/delta-batch.html#use-generated-columns
            """
            given = schema_rules.read_expression(expr, "generated_as")
            return self._rule(schema_rules.ColumnGeneration(given), "generated_as")

        def generated_as_identity(self, *, always: bool = True, start: int = 1, step: int = 1) -> Schema.Builder:
            """Let the table number its rows in the last column.

            Args:
                always: whether a statement that gives the column a value is refused.
                start: the first number.
                step: the difference of two numbers.

            Raises:
                ValidationException: the last column is not an integer, or has a rule; or the step is 0.

            >>> Schema.new_builder().column("id", "BIGINT").generated_as_identity(start=100).build()
            (
              `id` BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 100 INCREMENT BY 1)
            )

            Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html
            """
            for given, name in ((start, "start"), (step, "step")):
                if not isinstance(given, int) or isinstance(given, bool) or (name == "step" and given == 0):
                    raise ValidationException(f"generated_as_identity was given {name} {given!r}; it is an integer.")
            rule = schema_rules.ColumnIdentity(bool(always), start, step)
            made = self._rule(rule, "generated_as_identity")
            last = self._columns[list(self._columns)[-1]]
            if isinstance(last, PhysicalColumn) and not isinstance(last.data_type, IntegralType):
                raise ValidationException(
                    f"The identity column {last.name!r} is of type BIGINT or another integer, but is "
                    f"{last.data_type.as_summary_string()}."
                )
            return made

        def check(self, condition: str | Expression[Any], *, name: str | None = None) -> Schema.Builder:
            """Declare a condition that no row may violate; NULL does not violate it.

            Args:
                condition: an expression, or SQL text.
                name: the name of the constraint.

            Raises:
                ValidationException: the condition is neither, or the name is taken.

            >>> Schema.new_builder().column("amount", "INT").check("amount > 0", name="positive").build()
            (
              `amount` INT,
              CONSTRAINT `positive` CHECK (amount > 0)
            )

            Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html
            """
            given = schema_rules.read_expression(condition, "check")
            return self._constrain(schema_rules.Check(_optional_name(name), given))

        def unique(self, *column_names: str, name: str | None = None) -> Schema.Builder:
            """Declare that no two rows have equal values in the columns; uniqueness is not enforced.

            Raises:
                ValidationException: no column is given, or the name of the constraint is taken.
            """
            columns = schema_rules.read_names(column_names, "unique")
            return self._constrain(schema_rules.Unique(_optional_name(name), columns))

        def foreign_key(
            self,
            columns: str | Sequence[str],
            table: str,
            referenced: str | Sequence[str],
            *,
            name: str | None = None,
        ) -> Schema.Builder:
            """Declare that the values of columns are in columns of another table; that is not enforced.

            Args:
                columns: a column, or several.
                table: the name of the other table.
                referenced: its columns, as many.
                name: the name of the constraint.

            Raises:
                ValidationException: the numbers of columns differ, or the name of the constraint is taken.

            >>> Schema.new_builder().column("owner", "INT").foreign_key("owner", "sales.people", "id").build()
            (
              `owner` INT,
              FOREIGN KEY (`owner`) REFERENCES sales.people (`id`)
            )
            """
            own = schema_rules.read_names(columns, "foreign_key")
            others = schema_rules.read_names(referenced, "foreign_key")
            if len(own) != len(others):
                raise ValidationException(f"The foreign key has {len(own)} columns, and refers to {len(others)}.")
            return self._constrain(schema_rules.Reference(_optional_name(name), own, _name(table), others))

        def _rule(self, rule: ColumnRule, method: str) -> Schema.Builder:
            """Set the rule of the last column."""
            if not len(self._columns):
                raise ValidationException(f"{method} is for the column before it, and there is none yet.")
            last = self._columns[list(self._columns)[-1]]
            if not isinstance(last, PhysicalColumn) or last.rule is not None:
                has = "is not stored" if not isinstance(last, PhysicalColumn) else f"has{last.rule!r} already"
                raise ValidationException(f"{method} is for a stored column without a rule, and {last.name!r} {has}.")
            self._columns[last.name] = attrs.evolve(last, rule=rule)
            return self

        def _constrain(self, constraint: SchemaConstraint) -> Schema.Builder:
            names = [self._key_name, *[other.name for other in self._constraints]]
            if constraint.name is not None and fold(constraint.name) in [fold(name) for name in names if name]:
                raise ValidationException(f"The schema has a constraint {constraint.name!r} already.")
            self._constraints.append(constraint)
            return self

        def watermark(self, column_name: str, watermark_expr: str | Expression[Any]) -> Schema.Builder:
            """Declare how late rows may be if the table is a stream; the rows of a table are all present.

            Raises:
                ValidationException: the schema already has a watermark.
            """
            return self._set_watermark(_name(column_name), _expression(watermark_expr, column_name))

        def primary_key(self, *column_names: str) -> Schema.Builder:
            """Declare the columns that identify a row; uniqueness is not enforced.

            Raises:
                ValidationException: no column is given, a column is given twice, or the schema already has a primary
                    key.
            """
            return self._set_key(column_names, None)

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Schema.Builder:
            """Declare the columns that identify a row, with a constraint name; uniqueness is not enforced."""
            return self._set_key(column_names, _name(constraint_name))

        def _check_expressions(self) -> None:
            """Reject computed columns that are invalid over the stored columns; the environment checks SQL text."""
            columns = self._columns.values()
            computed = [column for column in columns if isinstance(column, ComputedColumn)]
            if not computed or any(isinstance(column.expression, str) for column in computed):
                # Other columns may refer to a column from SQL text, whose type is still unknown.
                return
            stored = [Column(c.name, c.data_type) for c in columns if isinstance(c, PhysicalColumn | MetadataColumn)]
            rows = source.Source(ObjectIdentifier("rows"), ResolvedSchema(tuple(stored)))
            for column in computed:
                assert not isinstance(column.expression, str)
                # Only the environment can find user-defined functions.
                with implicit_notices.suppress_notices(), contextlib.suppress(FunctionNotExistException):
                    where = f"The computed column {column.name!r}"
                    operations.resolve_rows(rows, [column.expression], lookup.BuiltInLookup(), where)

        def _add(self, *columns: SchemaColumn) -> Schema.Builder:
            for column in columns:
                if column.name in self._columns:
                    raise ValidationException(
                        f"Ambiguous column name: {column.name}. Column names are found whatever their case."
                    )
                self._columns[column.name] = column
            return self

        def _set_watermark(self, name: str, expression: Unresolved | str) -> Schema.Builder:
            if self._watermarks:
                raise ValidationException(
                    f"A schema has one watermark, and this one has that of {self._watermarks[0][0]!r} already."
                )
            self._watermarks.append((name, expression))
            return self

        def _set_key(self, names: Sequence[str], constraint: str | None) -> Schema.Builder:
            if self._key:
                raise ValidationException("Multiple primary keys are not supported.")
            if not names:
                raise ValidationException("A primary key needs at least one column.")
            for number, name in enumerate(names):
                if _name(name) and fold(name) in map(fold, names[:number]):
                    raise ValidationException(f"The primary key has the column {name!r} twice.")
            self._key, self._key_name = tuple([_name(name) for name in names]), constraint
            return self

        def build(self) -> Schema:
            """Build the schema.

            Raises:
                ValidationException: a constraint, the watermark or a computed column refers to a missing column, the
                    watermark's column is not a time, or an expression is invalid.
            """
            for name, where in [
                *[(name, "primary key") for name in self._key],
                *[(name, "watermark") for name, _ in self._watermarks],
            ]:
                column = self._columns.get(name)
                if column is None:
                    raise ValidationException(
                        f"The {where} names the column {name!r}, which the schema has not: "
                        f"[{listing(self._columns)}].{did_you_mean(name, self._columns)}"
                    )
                if where != "watermark" or not isinstance(column, PhysicalColumn):
                    # The type of a computed column is known when the environment resolves it.
                    continue
                if not isinstance(column.data_type, TimestampType | LocalZonedTimestampType):
                    raise ValidationException(
                        f"A watermark is of a column of type TIMESTAMP or TIMESTAMP_LTZ, but {column!r} is none."
                    )
            if self._constraints:
                schema_rules.require_known_columns(self._constraints, self._columns)
            self._check_expressions()
            watermarks, constraints = tuple(self._watermarks), tuple(self._constraints)
            return Schema(tuple(self._columns.values()), self._key, self._key_name, watermarks, constraints)


def _name(given: Any) -> str:
    if not isinstance(given, str) or not given:
        raise ValidationException(f"A name is expected, but was given {given!r}.")
    return given


def _optional_name(given: Any) -> str | None:
    return None if given is None else _name(given)


def _expression(given: Any, column: str) -> Unresolved | str:
    if isinstance(given, str):
        return given
    if not isinstance(given, Expression):
        raise ValidationException(
            f"The column {column!r} must be computed by an expression or SQL text, but was given {given!r}."
        )
    return unwrap(given)


def row_type_of(given: Any) -> Any:
    """Return the ROW type of rows whose columns are given with types, in any form that ``Schema.of`` takes.

    Everything else is returned unchanged: names without types, a type, the text of a type.

    >>> row_type_of({"id": "INT", "name": "STRING"})
    ROW<`id` INT, `name` STRING>
    >>> row_type_of("id INT, name STRING"), row_type_of("INT"), row_type_of(["id", "name"])
    (ROW<`id` INT, `name` STRING>, 'INT', ['id', 'name'])

    Raises:
        SqlParserException: a type cannot be parsed.
        ValidationException: a ``Schema`` has columns that are not stored.
    """
    if given is None or isinstance(given, LogicalType):
        return given
    if isinstance(given, str):
        return _row_of(Schema.of(given)) if _is_of_columns(given) else given
    of_types = isinstance(given, Sequence) and given and all(isinstance(part, Column | tuple) for part in given)
    library = type(given).__module__.partition(".")[0]
    if of_types or isinstance(given, Schema | ResolvedSchema | Mapping) or library in ("pyarrow", "pyspark"):
        return _row_of(Schema.of(given))
    return given


def _is_of_columns(text: str) -> bool:
    """Whether a text has columns, a name before each type, rather than a single type."""
    words = re.match(r"\s*(?:\w+|`[^`]+`)\s+(\w+)", text)
    if words is None or words[1].upper() in _BEHIND_TYPES:
        return False
    try:
        read_data_type(text, "The schema of the rows")
    except SqlParserException:
        return True
    return False


# DOUBLE PRECISION, CHARACTER VARYING(3) and the like are types of two words, which are tried as types.
_BEHIND_TYPES = frozenset(("NOT", "NULL", "ARRAY", "MULTISET", "COLLATE"))


def _row_of(schema: Schema) -> RowType:
    computed = [column.name for column in schema.columns if not isinstance(column, PhysicalColumn)]
    if computed:
        raise ValidationException(f"The columns of given rows are stored; [{listing(computed)}] of the schema are not.")
    return RowType(tuple([RowField(c.name, c.data_type, c.comment) for c in schema.physical_columns]))
