"""Process table functions, which process the rows of tables partition by partition."""

from __future__ import annotations

from ir.contents import CHANGES, PROCESS
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.functions.definition import FunctionDefinition
from ir.identifiers import fold, quote
from ir.light_typing import TYPE_CHECKING, ClassVar
from ir.nodes import computed_field, node
from ir.operations.operation import QueryOperation
from ir.schema import Column, ResolvedSchema
from ir.types import CharacterType, LogicalType, RowType, StringType

if TYPE_CHECKING:
    from ir.functions.process import ProcessSignature

KIND_COLUMN = "op"
"""The column with the kinds of rows, in the output of a function that yields changes and in a table of changes."""


def find_kind_column(schema: ResolvedSchema) -> FieldReference | None:
    """Return the column with the kinds of changes; None for rows without one."""
    for index, column in enumerate(schema.columns):
        if fold(column.name) == KIND_COLUMN and isinstance(column.data_type, CharacterType):
            return FieldReference(column.name, column.data_type, 0, index)
    return None


@node
class ProcessTable(QueryOperation):
    """The output of a process table function.

    The columns are, for each table in order, its partition keys, or all columns if the table passes them through; then
    those of the function; then, with ``on_time``, the time of the row.

    Attributes:
        function: the function, whose ``process`` is its signature.
        tables: the table arguments, in order.
        partition_keys: the partition keys of each table, empty for a single partition; the input index of a field
            reference is the position of its table.
        order_keys: the sort keys within the partitions of each table.
        scalars: the scalar arguments in order, including omitted ones.
        on_time: the index of the time column of each table; empty if the call names none.
        uid: the name of the call's state, unique in a statement.
        output: the columns of the function.
        state_types: the types of its states.
        names: the names of all columns.
    """

    function: FunctionDefinition
    tables: tuple[QueryOperation, ...]
    partition_keys: tuple[tuple[ResolvedExpression, ...], ...]
    order_keys: tuple[tuple[SortOrder, ...], ...]
    scalars: tuple[ResolvedExpression, ...]
    on_time: tuple[int, ...]
    uid: str
    output: RowType
    state_types: tuple[LogicalType, ...]
    names: tuple[str, ...]
    schema: ResolvedSchema = computed_field(lambda self: self._columns())

    title: ClassVar[str] = "ProcessTableFunction"
    noun: ClassVar[str] = "call of a process table function"
    sql_clause: ClassVar[str] = "a process table function"

    @property
    def holds(self) -> int:  # type: ignore[override]  # a fact of each function, where other operations have one
        """The bits of ``ir.contents`` that the call adds to those of its tables."""
        return PROCESS | CHANGES if self.signature.changes else PROCESS

    @property
    def label(self) -> str:
        return f"call of {quote(self.function.name)}"

    @property
    def hides_outer_query(self) -> bool:
        return True

    @property
    def signature(self) -> ProcessSignature:
        """The declared signature of the function."""
        signature = self.function.process
        assert signature is not None, "made for process table functions only"
        return signature

    @property
    def inputs(self) -> tuple[QueryOperation, ...]:
        return self.tables

    @property
    def is_copartitioned(self) -> bool:
        """Whether several tables share partitions, so that equal keys of all of them form one partition."""
        return sum(bool(keys) for keys in self.partition_keys) > 1

    @property
    def time_type(self) -> LogicalType | None:
        """The type of ``rowtime``, None if the call has no time."""
        return time_type_of(self.tables, self.on_time)

    @property
    def time_names(self) -> tuple[str, ...]:
        """The distinct names of the time columns, for ``on_time``."""
        found: dict[str, str] = {}
        for table, index in zip(self.tables, self.on_time, strict=False):
            name = table.schema.names[index]
            found.setdefault(fold(name), name)
        return tuple(found.values())

    def kind_column(self, number: int) -> str | None:
        """Return the name of the column with the kinds of a table's rows; None if all of them are insertions."""
        if "SUPPORT_UPDATES" not in self.signature.tables[number].traits:
            return None
        columns = self.tables[number].schema.columns
        return next(
            (c.name for c in columns if fold(c.name) == KIND_COLUMN and isinstance(c.data_type, StringType)), None
        )

    def _columns(self) -> ResolvedSchema:
        arguments = self.signature.tables
        types: list[LogicalType] = []
        for argument, table, keys in zip(arguments, self.tables, self.partition_keys, strict=True):
            if argument.passes_through:
                types += table.schema.types
            else:
                types += key_types(keys, self.partition_keys)
        types += [field.data_type for field in self.output.fields]
        if self.time_type is not None:
            types.append(self.time_type)
        return ResolvedSchema(tuple([Column(n, t) for n, t in zip(self.names, types, strict=True)]))

    def describe(self) -> str:
        tables = []
        parts = zip(self.signature.tables, self.tables, self.partition_keys, self.order_keys, strict=True)
        for number, (argument, table, keys, order) in enumerate(parts):
            words = [argument.name]
            if keys:
                words.append(f"partitionBy: [{', '.join(key.as_summary_string() for key in keys)}]")
            if order:
                words.append(f"orderBy: [{', '.join(key.as_summary_string() for key in order)}]")
            if self.on_time:
                words.append(f"onTime: [{table.schema.names[self.on_time[number]]}]")
            tables.append(" ".join(words))
        values = zip(self.signature.scalars, self.scalars, strict=True)
        scalars = "".join(f", {argument.name}: [{value.as_summary_string()}]" for argument, value in values)
        return f"(function: [{self.function.name}], uid: [{self.uid}], tables: [{'; '.join(tables)}]{scalars})"


def key_types(
    keys: tuple[ResolvedExpression, ...], every: tuple[tuple[ResolvedExpression, ...], ...]
) -> list[LogicalType]:
    """Return the types of a table's key columns.

    For a partition without rows of the table, the keys are those of another table, which may be nullable.
    """
    beside = [other for other in every if len(other) == len(keys)]
    return [
        key.data_type.with_nullability(any(other[i].data_type.nullable for other in beside))
        for i, key in enumerate(keys)
    ]


def time_type_of(tables: tuple[QueryOperation, ...], on_time: tuple[int, ...]) -> LogicalType | None:
    """Return the type of an output row's time. It is nullable, because ``finish`` has no time if there were no rows."""
    if not on_time:
        return None
    return tables[0].schema.types[on_time[0]].as_nullable()
