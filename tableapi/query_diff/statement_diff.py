"""The difference of two statements about tables: their parts are compared by name, their queries as queries are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum
from typing import Any, Final

import attrs

from ir.commands.alterations import TableChange
from ir.commands.columns import ColumnDefinition as AddedColumn
from ir.commands.command import Command, CommandPart
from ir.commands.inserts import InsertForm, InsertInto, InsertIntoDirectory, InsertMode
from ir.commands.partitions import Partition, PartitionKey
from ir.commands.rows import Assignment, MergeClause, MergeInto
from ir.commands.table_definition import (
    CheckConstraint,
    ColumnDefinition,
    ColumnValue,
    Constraint,
    DefaultValue,
    ForeignKeyConstraint,
    GeneratedValue,
    IdentityValue,
    MetadataValue,
    PartitionField,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
)
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier, fold, quote
from ir.nodes import Node, init_fields
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rendering import Layout
from ir.rewriting import replace
from ir.types import LogicalType
from tableapi.query_diff.change_sentences import shorten, sql
from tableapi.query_diff.query_diff import diff_operations

_FIELDS: Final[Mapping[str, str]] = {
    "always": "ALWAYS",
    "cascades": "CASCADE",
    "data_type": "the type",
    "evolves_schema": "schema evolution",
    "hive": "Hive's storage",
    "if_exists": "IF EXISTS",
    "if_not_exists": "IF NOT EXISTS",
    "is_by_name": "BY NAME",
    "is_external": "EXTERNAL",
    "is_lazy": "LAZY",
    "is_local": "LOCAL",
    "is_primary": "PRIMARY KEY",
    "is_relied_on": "RELY",
    "is_temporary": "TEMPORARY",
    "is_virtual": "VIRTUAL",
    "purges": "PURGE",
    "relies": "RELY",
    "scans": "a scan of the rows",
}
_ENTRIES: Final = {"options": "the option", "properties": "the property", "connector": "the option"}


@attrs.frozen(eq=False, repr=False)
class StatementDiff:
    """The changes from an old statement to a new one; it is false if there are none.

    Attributes:
        old: the old statement.
        new: the new statement.
        changes: the changes, a sentence for each.
    """

    old: Command
    new: Command
    changes: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.changes)

    def as_text(self) -> str:
        """Return the changes, one sentence per line."""
        return "\n".join(self.changes) if self else "The statements are equal."

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        return self.as_text()


def diff_commands(old: Command, new: Command) -> StatementDiff:
    """Return the changes between two statements."""
    if old is new:
        return StatementDiff(old, new, ())
    if type(old) is not type(new):
        return StatementDiff(old, new, (f"The statement was {old.called}, and became {new.called}.",))
    return StatementDiff(old, new, tuple(_compare_parts(_name_columns(old), _name_columns(new), "")))


def _name_columns(command: Command) -> Command:
    """Return a command whose columns are identified by their names alone, regardless of the other columns."""
    compares = isinstance(command, MergeInto) or (
        isinstance(command, InsertInto) and command.form.mode is InsertMode.REPLACE_ON
    )
    prefixes = ("target.", "source.") if compares else ("",)

    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        if not isinstance(part, FieldReference):
            return None
        return FieldReference(prefixes[part.input_index] + part.name, part.data_type, 0, 0)

    return command.map_parts(lambda part: part if isinstance(part, QueryOperation) else replace(part, find))


# --- parts -----------------------------------------------------------------------------------------------------------


def _compare_parts(old: CommandPart, new: CommandPart, where: str) -> Iterator[str]:
    for name in init_fields(type(old)):
        yield from _compare(getattr(old, name), getattr(new, name), name, where)


def _compare(old: Any, new: Any, field: str, where: str) -> Iterator[str]:
    """Yield the changes of a field; ``where`` names the part that has it, with "of" before."""
    label = f"{_FIELDS.get(field, f'the {field}'.replace('_', ' '))}{where}"
    if old is new or old == new:
        return
    if isinstance(old, ResolvedExpression) and isinstance(new, ResolvedExpression) and sql(old) == sql(new):
        # The type of a column has changed, which is said of the column.
        return
    if isinstance(old, Source) and isinstance(new, Source) and field == "table":
        yield from _compare(old.identifier, new.identifier, field, where)
    elif isinstance(old, QueryOperation) and isinstance(new, QueryOperation):
        found = diff_operations(old, new)
        if found:
            yield f"In {label}:"
            yield from (f"  {line}" for line in found.as_text().split("\n"))
    elif isinstance(old, _UNNAMED) and type(old) is type(new):
        yield from _compare_parts(old, new, where)
    elif isinstance(old, CommandPart) and type(old) is type(new) and not isinstance(old, _WHOLE):
        yield from _compare_parts(old, new, f" of {label}")
    elif isinstance(old, tuple) and isinstance(new, tuple):
        yield from _compare_lists(old, new, field, where)
    elif isinstance(old, bool) and isinstance(new, bool):
        yield f"{_capitalize(label)} was {'added' if new else 'removed'}."
    elif old is None or new is None:
        given, did = (new, "added") if old is None else (old, "removed")
        yield f"{_capitalize(label)} was {did}: {_shown(given)}."
    else:
        yield f"{_capitalize(label)} was {_shown(old)}, and became {_shown(new)}."


def _compare_lists(old: Sequence[Any], new: Sequence[Any], field: str, where: str) -> Iterator[str]:
    parts = [*old, *new]
    if field in _ENTRIES:
        yield from _compare_named(dict(old), dict(new), _ENTRIES[field], where)
    elif all(isinstance(part, _NAMED) for part in parts):
        yield from _compare_named({_key(p): p for p in old}, {_key(p): p for p in new}, "", where)
    elif all(isinstance(part, CommandPart) for part in parts):
        yield from _compare_sequence(old, new, where)
    else:
        label = _FIELDS.get(field, f"the {field}".replace("_", " "))
        was = "were" if label.endswith("s") else "was"
        yield f"{_capitalize(label)}{where} {was} {_shown(old)}, and became {_shown(new)}."


def _compare_named(old: Mapping[Any, Any], new: Mapping[Any, Any], kind: str, where: str) -> Iterator[str]:
    """Yield the changes of parts that are found by their names."""
    for key, part in old.items():
        if key not in new:
            yield f"{_capitalize(_called(part, key, kind))}{where} was removed."
    for key, part in new.items():
        called = _called(part, key, kind)
        if key not in old:
            yield f"{_capitalize(called)}{where} was added: {_shown(part)}."
        elif isinstance(part, Assignment):
            if part is not old[key] and _shown(part) != _shown(old[key]):
                before, after = _shown(old[key]), _shown(part)
                yield f"The value of {'.'.join(map(quote, part.path))}{where} was {before}, and became {after}."
        elif isinstance(part, CommandPart) and type(part) is type(old[key]):
            yield from _compare_parts(old[key], part, f" of {called}{where}")
        elif part != old[key]:
            yield f"{_capitalize(called)}{where} was {_shown(old[key])}, and became {_shown(part)}."
    columns = [part for part in new.values() if isinstance(part, ColumnDefinition)]
    if columns and [key for key in old if key in new] != [key for key in new if key in old]:
        yield f"The order of the columns{where} became {', '.join(quote(column.name) for column in columns)}."


def _compare_sequence(old: Sequence[Any], new: Sequence[Any], where: str) -> Iterator[str]:
    """Yield the changes of parts that are found by their places, such as the clauses of a MERGE."""
    for tag, i, j, k, m in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        pairs = min(j - i, m - k) if tag == "replace" else 0
        for place in range(pairs):
            before, after = old[i + place], new[k + place]
            if type(before) is type(after) and isinstance(before, MergeClause) and before.kind is after.kind:
                yield from _compare_parts(before, after, f" of clause {k + place + 1}{where}")
            elif type(before) is type(after) and isinstance(before, InsertInto | InsertIntoDirectory):
                yield from _compare_parts(
                    _name_columns(before), _name_columns(after), f" of insert {k + place + 1}{where}"
                )
            else:
                yield f"{_kind(after)} {k + place + 1}{where} was {_shown(before)}, and became {_shown(after)}."
        for part in old[i + pairs : j]:
            yield f"A {_kind(part).lower()}{where} was removed: {_shown(part)}."
        for part in new[k + pairs : m]:
            yield f"A {_kind(part).lower()}{where} was added: {_shown(part)}."


# --- names -----------------------------------------------------------------------------------------------------------

_NAMED: Final = (ColumnDefinition, Constraint, Assignment, PartitionField, PartitionKey)
_UNNAMED: Final = (TableDefinition, InsertForm)
_WHOLE: Final = (*_NAMED, ColumnValue)


def _kind(part: Any) -> str:
    """Return the noun of a part without a name."""
    return "Clause" if isinstance(part, MergeClause) else "Change" if isinstance(part, TableChange) else "Part"


def _key(part: Any) -> Any:
    """Return the key that distinguishes a part from its siblings."""
    match part:
        case ColumnDefinition() | PartitionKey():
            return fold(part.name)
        case Assignment():
            return tuple(map(fold, part.path))
        case PartitionField():
            return part.transform, part.column
        case Constraint() if part.name is not None:
            return fold(part.name)
        case CheckConstraint():
            return type(part), sql(part.condition)
    return type(part), getattr(part, "columns", ())


def _called(part: Any, key: Any, kind: str) -> str:
    match part:
        case ColumnDefinition():
            return f"the column {quote(part.name)}"
        case Assignment():
            return f"the assignment of {'.'.join(map(quote, part.path))}"
        case PartitionField():
            return f"the partition key {_shown(part)}"
        case PartitionKey():
            return f"the partition column {quote(part.name)}"
        case Constraint() if part.name is not None:
            return f"the constraint {quote(part.name)}"
        case Constraint():
            return f"the constraint {part.called}"
    return f"{kind} '{key}'"


def _shown(value: Any) -> str:
    """Return a value in a sentence."""
    match value:
        case ResolvedExpression():
            return sql(value)
        case ObjectIdentifier() | LogicalType():
            return value.as_summary_string()
        case Enum():
            return str(value.value)
        case str():
            return repr(value)
        case ColumnDefinition():
            rule = "" if value.value is None else f" {_shown(value.value)}"
            return f"{value.data_type.as_summary_string()}{rule}"
        case DefaultValue():
            return f"DEFAULT {sql(value.expression)}"
        case GeneratedValue():
            return f"GENERATED ALWAYS AS ({sql(value.expression)})"
        case IdentityValue():
            return f"an identity from {value.start} by {value.step}"
        case MetadataValue():
            return f"METADATA{'' if value.key is None else f' FROM {value.key!r}'}"
        case PartitionField():
            column = ".".join(map(quote, value.column))
            number = "" if value.argument is None else f"{value.argument}, "
            return column if value.transform is None else f"{value.transform}({number}{column})"
        case CheckConstraint():
            return f"CHECK ({sql(value.condition)})"
        case ForeignKeyConstraint():
            return f"FOREIGN KEY ({', '.join(value.columns)}) REFERENCES {value.table.as_summary_string()}"
        case PrimaryKeyConstraint() | UniqueConstraint():
            return f"{value.called} ({', '.join(value.columns)})"
        case Assignment():
            return "DEFAULT" if value.value is None else sql(value.value)
        case PartitionKey():
            return "any value" if value.value is None else sql(value.value)
        case Partition() | AddedColumn():
            return value.describe()
        case tuple():
            return f"({', '.join(item if isinstance(item, str) else _shown(item) for item in value)})"
    describe = getattr(value, "describe", None)
    if isinstance(value, QueryOperation) or describe is None:
        return _described(value)
    return str(describe())


def _described(value: Any) -> str:
    """Return a part without a sentence of its own: a query as SQL, and others by their fields."""
    if isinstance(value, QueryOperation):
        try:
            return shorten(" ".join(value.as_serializable_string(layout=Layout.MERGED).split()))
        except TableException:
            return value.noun
    if not isinstance(value, Node):
        return str(value)
    fields = {name: getattr(value, name) for name in init_fields(type(value))}
    return ", ".join(
        f"{name.replace('_', ' ')} {_shown(given)}" for name, given in fields.items() if given not in (None, ())
    )


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
