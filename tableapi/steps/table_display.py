"""Display, copying and pickling of tables, and access to columns by name."""

from __future__ import annotations

from collections.abc import Iterable

from ir.errors import TableException, ValidationException
from ir.light_typing import TYPE_CHECKING, Any
from ir.unresolved import UnresolvedReference
from tableapi.expression import Expression
from tableapi.lazy import lazy
from tableapi.queries.query import Query
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    import pickle

    from typing_extensions import Self
else:
    pickle = lazy(__name__, "pickle")


@boundaries
class TableDisplay:
    """Base class for display, copying, pickling and column access of a table."""

    _query: Query

    def __getitem__(self, name: str) -> Expression[Any]:
        """Return a column by name, or by position from 0.

        >>> from tableapi import TableEnvironment
        >>> orders = TableEnvironment.create().from_elements([(1, 20)], ["id", "amount"])
        >>> orders["amount"] > 10
        greaterThan(amount, 10)

        Raises:
            ValidationException: the name or position does not exist; the message suggests the nearest name.
        """
        schema = self._query.operation.schema
        if isinstance(name, int) and not isinstance(name, bool):
            if not -len(schema) <= name < len(schema):
                raise ValidationException(f"The table has {len(schema)} columns, and none at the position {name}.")
            return _column(schema.names[name])
        if not isinstance(name, str):
            raise ValidationException(
                f"table[…] takes the name or the position of a column, but was given {name!r}. Write select(…) for "
                "several columns and filter(…) for a condition."
            )
        return _column(schema.column(name).name)

    # With ``__getitem__`` alone, Python would iterate over the columns by position.
    __iter__ = None
    __contains__ = None

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *[name for name in self._query.operation.schema.names if name.isidentifier()]]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._query.operation.schema.names)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # A table is immutable and belongs to one environment, so a copy is the table itself.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            return pickle.loads, (pickle.dumps(self._query.operation),)
        except Exception as error:
            raise TableException(
                f"The table cannot be pickled: its query holds something that only this process has ({error}). "
                "Send as_serializable_string(), or store the data as a table and the functions by create_function."
            ) from None

    def __repr__(self) -> str:
        return repr(self._query)

    def _repr_html_(self) -> str:
        return self._query.as_html()


def _column(name: str) -> Expression[Any]:
    return Expression(UnresolvedReference(name))
