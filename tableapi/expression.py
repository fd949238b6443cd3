"""Fluent expressions: columns, constants and values computed from them."""

from __future__ import annotations

from enum import Enum
from functools import partial
from types import FunctionType, MethodType

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, install_advice_on_members, shorten
from ir.expressions import Expression as Unresolved
from ir.expressions import SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions import arithmetic as ar
from ir.functions import comparison as cmp
from ir.functions.builtins import BUILT_INS
from ir.light_typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar
from ir.literals import ATOMIC, literal
from ir.operations.operation import TableReference
from ir.types import LogicalType
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedFlatten,
    UnresolvedNamedArgument,
    UnresolvedOver,
    UnresolvedReference,
)
from tableapi.advice.properties import note_properties
from tableapi.advice.refusals import add_refusals
from tableapi.data.values import value_expression
from tableapi.lazy import lazy
from tableapi.members.fluent import FunctionMembers, install
from tableapi.members.json_members import JsonMembers
from tableapi.members.time_members import TimeMembers
from tableapi.tracebacks import boundaries, trim
from tableapi.unknown_members import names_on_request

if TYPE_CHECKING:
    from ir.functions import collection, conversion, logic, string, time_window
    from ir.resolution.windows import over as over_calls
    from tableapi import unknown_members
    from tableapi.advice import misused_members
    from tableapi.members import lambdas, symbols, type_arguments, unresolved_summary
    from tableapi.members.symbols import (
        JsonExistsOnError,
        JsonOnNull,
        JsonQueryOnEmptyOrError,
        JsonQueryWrapper,
        JsonType,
        JsonValueOnEmptyOrError,
        TimeIntervalUnit,
        TimePointUnit,
    )
    from tableapi.members.type_arguments import TypeLike
    from tableapi.window import over
else:
    type_arguments = lazy(__name__, "tableapi.members.type_arguments")
    collection = lazy(__name__, "ir.functions.collection")
    conversion = lazy(__name__, "ir.functions.conversion")
    logic = lazy(__name__, "ir.functions.logic")
    string = lazy(__name__, "ir.functions.string")
    time_window = lazy(__name__, "ir.functions.time_window")
    over_calls = lazy(__name__, "ir.resolution.windows.over")
    misused_members = lazy(__name__, "tableapi.advice.misused_members")
    lambdas = lazy(__name__, "tableapi.members.lambdas")
    symbols = lazy(__name__, "tableapi.members.symbols")
    unresolved_summary = lazy(__name__, "tableapi.members.unresolved_summary")
    unknown_members = lazy(__name__, "tableapi.unknown_members")
    over = lazy(__name__, "tableapi.window.over")

__all__ = [
    "Expression",
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "TimeIntervalUnit",
    "TimePointUnit",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_request(__name__, dict.fromkeys(__all__[1:], "tableapi.members.symbols"))

T = TypeVar("T")
_PYTHON_FUNCTIONS = (FunctionType, MethodType, partial)


def unwrap(value: Any) -> Unresolved:
    """Return the unresolved expression of a fluent expression, table, unit, type, Python function or Python value."""
    if isinstance(value, Expression):
        return value._expression
    if type(value) in ATOMIC:
        return literal(value)
    if isinstance(value, Enum) and isinstance(
        value, (symbols.TimeIntervalUnit, symbols.TimePointUnit, symbols.JsonOnNull)
    ):
        return SymbolLiteral(value.value)
    if isinstance(value, LogicalType):
        return TypeLiteral(value)
    if isinstance(value, _PYTHON_FUNCTIONS):
        return lambdas.lambda_expression(value, wrap, unwrap)
    # Look the attribute up in the class: for an unknown attribute, a table searches the nearest column name.
    argument = value.unresolved_argument if hasattr(type(value), "unresolved_argument") else None
    if argument is not None:
        return argument  # type: ignore[no-any-return]  # of a partitioned table
    operation = getattr(value, "query_operation", None)
    if operation is not None:
        return TableReference(operation)
    return value_expression(value)


def wrap(expression: Unresolved) -> Expression[Any]:
    """Return the fluent form of an unresolved expression."""
    return Expression(expression)


@boundaries
@add_refusals
class Expression(TimeMembers, FunctionMembers, JsonMembers, Generic[T]):
    """A column, a constant, or a value computed from them.

    An expression is a description, which is checked when it becomes part of a table. Comparing two expressions gives
    another expression. The truth value of an expression is unknown until the query runs, so ``and``, ``or``, ``not``
    and chained comparisons raise an error. An attribute that is not a member is a field of a row: ``col("r").a``. Type
    checkers do not know fields as attributes; use ``col("r").get("a")`` with them.
    """

    # ``_origin`` holds the property that made the expression and the expression that has the property.
    __slots__ = ("_expression", "_origin")

    def __init__(self, expression: Unresolved) -> None:
        self._expression = expression

    # --- operators ---------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> Expression[bool]:  # type: ignore[override]  # a comparison is an expression
        if other is None:
            raise misused_members.null_comparison("==", self)
        return call_function(cmp.EQUALS, self, other)

    def __ne__(self, other: object) -> Expression[bool]:  # type: ignore[override]  # a comparison is an expression
        if other is None:
            raise misused_members.null_comparison("!=", self)
        return call_function(cmp.NOT_EQUALS, self, other)

    def __lt__(self, other: Any) -> Expression[bool]:
        return call_function(cmp.LESS_THAN, self, other)

    def __le__(self, other: Any) -> Expression[bool]:
        return call_function(cmp.LESS_THAN_OR_EQUAL, self, other)

    def __gt__(self, other: Any) -> Expression[bool]:
        return call_function(cmp.GREATER_THAN, self, other)

    def __ge__(self, other: Any) -> Expression[bool]:
        return call_function(cmp.GREATER_THAN_OR_EQUAL, self, other)

    __hash__ = object.__hash__

    def __bool__(self) -> NoReturn:
        raise ValidationException(
            "The truth of an expression is not known before the query runs. Use & for and, | for or, ~ for not, "
            "between(…) for a chained comparison and in_(…) for membership, with parentheses around comparisons."
        )

    if TYPE_CHECKING:
        # Declared as None so that type checkers report the operations that raise an error at run time.
        __iter__: ClassVar[None]
        __contains__: ClassVar[None]
    else:

        def __iter__(self) -> NoReturn:
            raise ValidationException("An expression is one value, and cannot be iterated over.")

        def __contains__(self, item: object) -> NoReturn:
            raise ValidationException(
                "in is evaluated by Python before the query runs. Use col('a').in_(…) for membership in a list, "
                "col('a').like('%x%') for a part of a string, and call('array_contains', col('a'), x) for an array."
            )

        def __len__(self) -> NoReturn:
            raise ValidationException(
                "len is evaluated by Python before the query runs. Use col('a').char_length for a string and "
                "col('a').cardinality for an array or a map."
            )

        def __int__(self) -> NoReturn:
            raise _make_number_error("int", "INT")

        def __float__(self) -> NoReturn:
            raise _make_number_error("float", "DOUBLE")

    def __and__(self, other: Any) -> Expression[bool]:
        return call_function(logic.AND, self, other)

    def __rand__(self, other: Any) -> Expression[bool]:
        return call_function(logic.AND, other, self)

    def __or__(self, other: Any) -> Expression[bool]:
        return call_function(logic.OR, self, other)

    def __ror__(self, other: Any) -> Expression[bool]:
        return call_function(logic.OR, other, self)

    def __invert__(self) -> Expression[bool]:
        return call_function(logic.NOT, self)

    def __add__(self, other: Any) -> Expression[Any]:
        return call_function(ar.FLUENT_PLUS, self, other)

    def __radd__(self, other: Any) -> Expression[Any]:
        return call_function(ar.FLUENT_PLUS, other, self)

    def __sub__(self, other: Any) -> Expression[Any]:
        return call_function(ar.MINUS, self, other)

    def __rsub__(self, other: Any) -> Expression[Any]:
        return call_function(ar.MINUS, other, self)

    def __mul__(self, other: Any) -> Expression[Any]:
        return call_function(ar.TIMES, self, other)

    def __rmul__(self, other: Any) -> Expression[Any]:
        return call_function(ar.TIMES, other, self)

    def __truediv__(self, other: Any) -> Expression[Any]:
        return call_function(ar.DIVIDE, self, other)

    def __rtruediv__(self, other: Any) -> Expression[Any]:
        return call_function(ar.DIVIDE, other, self)

    def __mod__(self, other: Any) -> Expression[Any]:
        return call_function(ar.MOD, self, other)

    def __rmod__(self, other: Any) -> Expression[Any]:
        return call_function(ar.MOD, other, self)

    def __floordiv__(self, other: Any) -> Expression[Any]:
        return call_function(ar.DIV, self, other)

    def __rfloordiv__(self, other: Any) -> Expression[Any]:
        return call_function(ar.DIV, other, self)

    def __pow__(self, other: Any) -> Expression[Any]:
        return call_built_in("power", self, other)

    def __rpow__(self, other: Any) -> Expression[Any]:
        return call_built_in("power", other, self)

    def __neg__(self) -> Expression[Any]:
        return call_function(ar.MINUS_PREFIX, self)

    def __pos__(self) -> Expression[Any]:
        return self

    def __abs__(self) -> Expression[Any]:
        return call_built_in("abs", self)

    def __round__(self, places: int = 0) -> Expression[Any]:
        return call_built_in("round", self, places)

    def __floor__(self) -> Expression[Any]:
        return call_built_in("floor", self)

    def __ceil__(self) -> Expression[Any]:
        return call_built_in("ceil", self)

    # --- access ------------------------------------------------------------------------------------------------------

    def get(self, name_or_index: str | int) -> Expression[Any]:
        """Return a field of a row by name, or by position from 0.

        >>> from tableapi.expressions import row
        >>> row(1, "a").get(1)
        get(row('f0', 1, 'f1', 'a'), 1)
        """
        if isinstance(name_or_index, bool) or not isinstance(name_or_index, str | int):
            raise ValidationException(
                f"get takes the name or the position of a field, but was given {name_or_index!r}."
            )
        return call_function(collection.GET, self, name_or_index)

    def at(self, index: Any) -> Expression[Any]:
        """Return an array's element at a position, from 1 or from -1 at the end, or a map's value; NULL if none."""
        return call_function(collection.AT, self, index)

    def array_sort(self, ascending_order: bool | None = None, null_first: bool | None = None) -> Expression[Any]:
        """Sort the elements of an array.

        Args:
            ascending_order: whether the least element comes first; True by default.
            null_first: whether NULL comes before all elements; by default only if the order is ascending.

        >>> from tableapi.expressions import col
        >>> col("a").array_sort(), col("a").array_sort(False)
        (sort_array(a), sort_array(a, false))
        >>> col("a").array_sort(True, False)
        array_sort(a)

        Raises:
            ValidationException: an argument is not a bool.
        """
        for given in (ascending_order, null_first):
            if given is not None and not isinstance(given, bool):
                raise ValidationException(f"array_sort takes True or False, but was given {given!r}.")
        ascending = ascending_order is not False
        if (ascending if null_first is None else null_first) is ascending:
            return call_built_in("sort_array", self) if ascending else call_built_in("sort_array", self, False)
        nulls_last = call_built_in("array_sort", self)
        return nulls_last if ascending else call_built_in("reverse", nulls_last)

    def __getitem__(self, index: Any) -> Expression[Any]:
        return self.at(index)

    def _field(self, name: str) -> Expression[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        unknown_members.check_has_fields(self._expression, name, Expression)
        return self.get(name)

    def _refuse_call(self, *arguments: Any, **named: Any) -> NoReturn:
        """Reject the call of an expression: a property, an unknown method or any other expression.

        Raises:
            ValidationException: always; the message suggests the property without parentheses, or the nearest method.
        """
        message = misused_members.describe_called_property(self, bool(arguments or named))
        if message:
            raise ValidationException(message)
        inner = self._expression
        if isinstance(inner, UnresolvedCall) and inner.function is collection.GET:
            field = inner.arguments[1]
            if isinstance(field, ValueLiteral):
                name = str(field.value)
                advice = unknown_members.advise_on_method(wrap(inner.arguments[0]), name)
                raise ValidationException(f"Expressions have no method {name!r}.{advice}")
        raise ValidationException(
            f"{shorten(repr(self))} is an expression, which cannot be called. A function is called by its name: "
            "call('name', col('a'))."
        )

    if not TYPE_CHECKING:
        # Hidden from type checkers, which would otherwise accept a misspelt member as a field, and a property as a
        # method.
        __getattr__, __call__ = _field, _refuse_call

    # --- names, order, quantifier ------------------------------------------------------------------------------------

    def alias(self, name: str, *extra_names: str) -> Expression[T]:
        """Name the output column of the expression.

        Raises:
            ValidationException: a name is not a string, or is empty.
        """
        for given in (name, *extra_names):
            if not isinstance(given, str) or not given:
                raise ValidationException(f"The name of a column must be text that is not empty, but is {given!r}.")
        return Expression(UnresolvedAlias(self._expression, name, extra_names))

    def as_argument(self, name: str) -> Expression[T]:
        """Pass the expression as a named argument of ``call``, if the function has argument names.

        >>> from tableapi.expressions import call, col, lit
        >>> call("mask", col("card"), lit("#").as_argument("digitChar"))
        mask(card, digitChar => '#')

        Raises:
            ValidationException: the name is not a string, or is empty.
        """
        if not isinstance(name, str) or not name:
            raise ValidationException(f"The name of an argument must be text that is not empty, but is {name!r}.")
        return Expression(UnresolvedNamedArgument(name, self._expression))

    @property
    def asc(self) -> Expression[T]:
        """The expression as a sort key, least value first; NULL counts as the least."""
        return Expression(Ordering(self._expression, True))

    @property
    def desc(self) -> Expression[T]:
        """The expression as a sort key, greatest value first; NULL counts as the least."""
        return Expression(Ordering(self._expression, False))

    @property
    def nulls_first(self) -> Expression[T]:
        """The sort key with NULL before all values: ``col("a").desc.nulls_first``."""
        return self._order_nulls(True)

    @property
    def nulls_last(self) -> Expression[T]:
        """The sort key with NULL after all values: ``col("a").asc.nulls_last``."""
        return self._order_nulls(False)

    def _order_nulls(self, first: bool) -> Expression[T]:
        inner = self._expression
        ordering = inner if isinstance(inner, Ordering) else Ordering(inner)
        return Expression(attrs.evolve(ordering, nulls_first=first))

    @property
    def flatten(self) -> Expression[Any]:
        """The fields of a row ``r`` as columns ``r$a``, ``r$b``, for ``select`` and ``add_columns``."""
        return Expression(UnresolvedFlatten(self._expression))

    @property
    def distinct(self) -> Expression[T]:
        """The aggregate over distinct values: ``col("a").sum.distinct``.

        Raises:
            ValidationException: the expression is not a call.
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall):
            raise ValidationException("distinct is for aggregates, as in col('a').sum.distinct.")
        return Expression(attrs.evolve(inner, distinct=True))

    def where(self, condition: Expression[bool]) -> Expression[T]:
        """Return the aggregate over the rows for which the condition is TRUE: ``col("a").sum.where(col("b") > 0)``.

        SQL calls this the FILTER clause. PyFlink has no such method.

        Raises:
            ValidationException: the expression is not a call, or already has a condition.
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall):
            raise ValidationException(
                "where is for aggregates, as in col('a').sum.where(col('b') > 0); rows are left out with Table.filter."
            )
        if inner.filter is not None:
            raise ValidationException("The aggregate has a condition already; combine the two with &.")
        return Expression(attrs.evolve(inner, filter=unwrap(condition)))

    def within_group(self, *keys: Any) -> Expression[T]:
        """Return the aggregate over the rows of its group in the given order.

        ``col("name").list_agg(", ").within_group(col("rank").desc)`` joins the names by rank, and
        ``percentile_cont(0.5).within_group(col("price"))`` is the median price. SQL calls this WITHIN GROUP. PyFlink
        has no such method.

        Args:
            keys: the sort keys, most significant first, each optionally with ``asc`` or ``desc``.

        Raises:
            ValidationException: the expression is not a call, already has an order, or no key is given.

        >>> from tableapi.expressions import col
        >>> col("name").list_agg(", ").within_group(col("rank").desc)
        withinGroup(listAgg(name, ', '), desc(rank))
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall) or not keys:
            raise ValidationException(
                "within_group takes the sort keys of an aggregate, as in col('a').list_agg(',').within_group(col('b'))."
            )
        if inner.order_by:
            raise ValidationException("The aggregate has an order already; give within_group all keys at once.")
        return Expression(attrs.evolve(inner, order_by=tuple([unwrap(key) for key in keys])))

    @property
    def ignore_nulls(self) -> Expression[T]:
        """The call with NULL values skipped: ``col("a").last_value.ignore_nulls.over(…)``.

        Raises:
            ValidationException: the expression is not a call.
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall):
            raise ValidationException(
                "ignore_nulls is for calls that pick a value, as in col('a').last_value.ignore_nulls, before over."
            )
        return Expression(attrs.evolve(inner, ignore_nulls=True, respect_nulls=False))

    @property
    def respect_nulls(self) -> Expression[T]:
        """The call with NULL values included: ``col("a").array_agg.respect_nulls``.

        Raises:
            ValidationException: the expression is not a call.
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall):
            raise ValidationException(
                "respect_nulls is for calls that collect values, as in col('a').array_agg.respect_nulls."
            )
        return Expression(attrs.evolve(inner, respect_nulls=True, ignore_nulls=False))

    def log(self, base: Any = None) -> Expression[float]:
        """Return the natural logarithm of the number, or its logarithm to the given base.

        >>> from tableapi.expressions import col
        >>> col("a").log(2)
        log(2, a)
        """
        return call_built_in("log", *([self] if base is None else [base, self]))

    def over(self, alias: Expression[Any] | over.OverWindow) -> Expression[T]:
        """Compute an aggregate or a window function over a window for each row.

        Args:
            alias: ``col`` with the alias of a window from ``Table.over_window``, or the window itself.

        Raises:
            ValidationException: the expression is not a call, or the argument is neither a window nor an alias.

        >>> from tableapi.expressions import col
        >>> from tableapi.window import Over
        >>> col("v").sum.over(Over.partition_by(col("k")))
        over(sum(v), Over(partition: [k]))
        """
        inner = self._expression
        if not isinstance(inner, UnresolvedCall):
            raise over_calls.make_not_over_error(repr(self))
        if isinstance(alias, over.OverWindow):
            return Expression(UnresolvedOver(inner, over.unwrap_window(alias)))
        named = alias._expression if isinstance(alias, Expression) else None
        if not isinstance(named, UnresolvedReference):
            raise ValidationException(
                "over takes a window, as in over(Over.partition_by(…)), or the alias of one, as in over(col('w')), but "
                f"was given {alias!r}."
            )
        return Expression(UnresolvedOver(inner, named.name))

    # --- conversion and membership -----------------------------------------------------------------------------------

    def cast(self, data_type: TypeLike) -> Expression[Any]:
        """Convert the value to a type; the query fails if it cannot be converted.

        Args:
            data_type: the type, or a string such as ``"DECIMAL(10, 2)"``.

        Raises:
            SqlParserException: the string is not a type; the message suggests the nearest name.
            ValidationException: the argument is neither a type nor a string.

        >>> from tableapi.expressions import col
        >>> col("a").cast("BIGINT")
        cast(a, BIGINT)
        """
        return call_function(conversion.CAST, self, type_arguments.read_data_type(data_type, "The type of cast"))

    def try_cast(self, data_type: TypeLike) -> Expression[Any]:
        """Convert the value to a type; the result is NULL if it cannot be converted.

        Args:
            data_type: the type, or a string such as ``"DECIMAL(10, 2)"``.

        Raises:
            SqlParserException: the string is not a type; the message suggests the nearest name.
            ValidationException: the argument is neither a type nor a string.
        """
        return call_function(
            conversion.TRY_CAST, self, type_arguments.read_data_type(data_type, "The type of try_cast")
        )

    def in_(self, first_element_or_table: Any, *remaining_elements: Any) -> Expression[bool]:
        """Whether the value equals one of the given values, or a value in the only column of a table."""
        return call_function(cmp.IN, self, first_element_or_table, *remaining_elements)

    def like(self, pattern: Any, escape: Any = None) -> Expression[bool]:
        """Whether a string matches a pattern, in which % stands for any string and _ for any character.

        ``escape`` is the character that makes % and _ literal; the default is a backslash, as in Spark.
        """
        return call_function(cmp.LIKE, self, pattern, *([] if escape is None else [escape]))

    # --- strings ------------------------------------------------------------------------------------------------------

    def trim(self, character: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from both ends of a string."""
        return self._trim("BOTH", character)

    def trim_leading(self, character: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from the start of a string."""
        return self._trim("LEADING", character)

    def trim_trailing(self, character: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from the end of a string."""
        return self._trim("TRAILING", character)

    def ltrim(self, trim_str: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from the start of a string."""
        return self._trim("LEADING", trim_str)

    def rtrim(self, trim_str: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from the end of a string."""
        return self._trim("TRAILING", trim_str)

    def btrim(self, trim_str: Any = None) -> Expression[str]:
        """Remove spaces, or the given characters, from both ends of a string."""
        return self._trim("BOTH", trim_str)

    def _trim(self, side: str, characters: Any) -> Expression[str]:
        given = [] if characters is None else [unwrap(characters)]
        return Expression(UnresolvedCall(string.TRIM, (SymbolLiteral(side), self._expression, *given)))

    # --- properties of a group window --------------------------------------------------------------------------------

    @property
    def start(self) -> Expression[Any]:
        """The start of the group window that has this alias."""
        return self.get(time_window.START)

    @property
    def end(self) -> Expression[Any]:
        """The end (exclusive) of the group window that has this alias."""
        return self.get(time_window.END)

    @property
    def rowtime(self) -> Expression[Any]:
        """The last millisecond of a group window, as a time attribute for further windows."""
        return call_function(time_window.FLUENT_ROWTIME, self)

    @property
    def proctime(self) -> Expression[Any]:
        """Rejected when selected, because only a stream has a processing time."""
        return call_function(time_window.FLUENT_PROCTIME, self)

    # --- description --------------------------------------------------------------------------------------------------

    def as_summary_string(self) -> str:
        """Return the expression in prefix form."""
        return unresolved_summary.summarize(self._expression)

    def __repr__(self) -> str:
        return unresolved_summary.display_expression(self._expression)


def call_function(function: Any, *arguments: Any) -> Expression[Any]:
    """Return a function call with fluent expressions and Python values as arguments."""
    # Trim the traceback here: a wrapper around each operator would slow down every call.
    try:
        return Expression(UnresolvedCall(function, tuple([unwrap(argument) for argument in arguments])))
    except TableException as error:
        __tracebackhide__ = True
        trim(error)
        raise error  # Set TABLEAPI_TRACEBACK=full to see the frames below.


def _make_number_error(wanted: str, data_type: str) -> ValidationException:
    return ValidationException(
        f"{wanted} is evaluated by Python before the query runs, and an expression has a value for each row. "
        f"Use col('a').cast(DataTypes.{data_type}()) for a cast."
    )


def call_built_in(name: str, *arguments: Any) -> Expression[Any]:
    """Return a call of a rarely used function, whose family is loaded on the first call."""
    return call_function(BUILT_INS.by_name(name), *arguments)


def _advise(name: str) -> str:
    return unknown_members.advise_on_expression(name, Expression)


note_properties(Expression, TimeMembers, JsonMembers)
install(wrap, unwrap)
install_advice_on_members(_advise)
