"""Rules of a declared schema: defaults, generated columns and constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import Expression as Unresolved
from ir.identifiers import NameMap, quote
from tableapi.expression import Expression, unwrap

Written = Unresolved | str
"""An expression, or SQL text that the environment reads."""


def _shown(written: Written) -> str:
    return written if isinstance(written, str) else repr(Expression(written))


@attrs.frozen
class ColumnDefault:
    """The constant that a column gets if a statement gives it no value."""

    value: Unresolved

    def __repr__(self) -> str:
        return f" DEFAULT {_shown(self.value)}"


@attrs.frozen
class ColumnGeneration:
    """The expression from which a stored column is computed when its row is written."""

    expression: Written

    def __repr__(self) -> str:
        return f" GENERATED ALWAYS AS ({_shown(self.expression)})"


@attrs.frozen
class ColumnIdentity:
    """Numbers that the table gives out; ``always`` excludes explicit values."""

    always: bool
    start: int
    step: int

    def __repr__(self) -> str:
        when = "ALWAYS" if self.always else "BY DEFAULT"
        return f" GENERATED {when} AS IDENTITY (START WITH {self.start} INCREMENT BY {self.step})"


ColumnRule = ColumnDefault | ColumnGeneration | ColumnIdentity


@attrs.frozen
class Check:
    """A condition that no row may violate."""

    name: str | None
    condition: Written

    def __repr__(self) -> str:
        return f"{_prefix(self.name)}CHECK ({_shown(self.condition)})"


@attrs.frozen
class Unique:
    """Columns whose values are together in one row at most."""

    name: str | None
    columns: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{_prefix(self.name)}UNIQUE {_names(self.columns)}"


@attrs.frozen
class Reference:
    """A foreign key: columns whose values are in columns of another table."""

    name: str | None
    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]

    def __repr__(self) -> str:
        return f"{_prefix(self.name)}FOREIGN KEY {_names(self.columns)} REFERENCES {self.table} " + _names(
            self.referenced
        )


SchemaConstraint = Check | Unique | Reference


def _prefix(name: str | None) -> str:
    return "" if name is None else f"CONSTRAINT {quote(name)} "


def _names(names: Sequence[str]) -> str:
    return f"({', '.join(map(quote, names))})"


# --- arguments -------------------------------------------------------------------------------------------------------


def read_expression(given: Any, method: str) -> Written:
    """Return the expression or the SQL text that a method of the builder was given.

    Raises:
        ValidationException: the value is neither an expression nor SQL text.
    """
    if isinstance(given, str) and given.strip():
        return given
    if not isinstance(given, Expression):
        raise ValidationException(f"{method} takes an expression or SQL text, but was given {given!r}.")
    return unwrap(given)


def read_names(given: Any, method: str) -> tuple[str, ...]:
    """Return the names of columns that a method of the builder was given: one, or several.

    Raises:
        ValidationException: there is no name, or a name is not a string.
    """
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not names or not all(isinstance(name, str) and name for name in names):
        raise ValidationException(f"{method} takes names of columns, but was given {given!r}.")
    return tuple(names)


def require_known_columns(constraints: Sequence[SchemaConstraint], columns: NameMap[Any]) -> None:
    """Reject a constraint over a column that the schema does not have.

    Raises:
        ValidationException: there is one; the message suggests the nearest name.
    """
    for constraint in constraints:
        for name in () if isinstance(constraint, Check) else constraint.columns:
            if name not in columns:
                what = "unique constraint" if isinstance(constraint, Unique) else "foreign key"
                raise ValidationException(
                    f"The {what} names the column {name!r}, which the schema does not have: [{listing(columns)}]."
                    + did_you_mean(name, columns)
                )
