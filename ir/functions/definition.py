"""A function as data: everything that resolution, typing, emission, documentation and tests know about it (FLIP-51)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import attrs

from ir.contents import AGGREGATE, CHANGING, CODE, NOTHING
from ir.dialects.syntax import FUNCTION, CallSyntax
from ir.expressions import ResolvedExpression
from ir.frames import Frame
from ir.identifiers import FunctionIdentifier
from ir.inference.type_inference import ArgumentTypeStrategy, TypeInference
from ir.inference.usage import Usage
from ir.types import LogicalType

if TYPE_CHECKING:
    from ir.functions.process import ProcessSignature


class FunctionKind(Enum):
    """What a function makes of its input."""

    SCALAR = "scalar"
    ASYNC_SCALAR = "async scalar"
    TABLE = "table"
    AGGREGATE = "aggregate"
    WINDOW = "window"
    TABLE_AGGREGATE = "table aggregate"
    PROCESS_TABLE = "process table"
    OTHER = "other"


class Monotonicity(Enum):
    """How the value of a function changes as an argument grows while the others stay."""

    INCREASING = "increasing"
    DECREASING = "decreasing"


class Fluent(Enum):
    """How a function appears in the fluent API."""

    PROPERTY = "property"
    METHOD = "method"
    FUNCTION = "function"


@attrs.frozen(eq=False, repr=False)
class FluentForm:
    """How the fluent API offers a function: by which name, and what its arguments are called there.

    A method's first argument is the expression that it is called on, and not among ``parameters``. A parameter that
    ends in ``?`` may be left out, one that begins with ``*`` takes any number of arguments. A parameter in ``choices``
    means something by these strings alone, in any case: type checkers report any other string.
    """

    kind: Fluent
    name: str
    parameters: tuple[str, ...] = ()
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()


@attrs.frozen(eq=False, repr=False)
class WithinGroup:
    """In what order an aggregate may take the rows of a group: ``least`` to ``most`` keys, which ``key`` accepts.

    Attributes:
        instead_of_arguments: whether a call has either arguments or an order.
        nulls_matter: whether it makes a difference where NULL stands.
        with_distinct: whether a call may have DISTINCT, too; it is then ordered by the argument itself.
        beside_window_order: whether a window over which such a call is computed may have an order, too.
    """

    key: ArgumentTypeStrategy
    least: int = 1
    most: int | None = 1
    instead_of_arguments: bool = False
    nulls_matter: bool = False
    with_distinct: bool = False
    beside_window_order: bool = False

    def least_beside(self, arguments: int) -> int:
        """Return how many keys there must be beside so many arguments."""
        return (0 if arguments else 1) if self.instead_of_arguments else self.least

    def most_beside(self, arguments: int) -> int | None:
        """Return how many keys there may be beside so many arguments."""
        return 0 if arguments and self.instead_of_arguments else self.most


Expansion = Callable[[tuple[ResolvedExpression, ...], ResolvedExpression | None, Usage], ResolvedExpression]


@attrs.frozen(eq=False, repr=False)
class SparkForm:
    """What a call of a function is on Spark, which lacks it: an expression that has each argument once.

    Attributes:
        make: given the arguments, returns it; its outermost call is not yet in canonical form (``calls.as_written``).
        usual: types of arguments, by which is seen where in it the arguments stand.
        over: of an aggregate, that of Spark's which a call has in its place; ``make`` is given the call of it.
    """

    make: Callable[..., ResolvedExpression]
    usual: tuple[LogicalType, ...]
    over: FunctionDefinition | None = None


@attrs.frozen(eq=False, repr=False, slots=True, weakref_slot=True)
class FunctionDefinition:
    """A function: its names, its kind, its syntax, its types and its documentation.

    Attributes:
        name: Flink's name of the definition (``upper``), shown in summaries.
        sql_name: the name in SQL.
        flink_name: the name in Flink's SQL, where it is another one.
        syntax: how a call is written in both dialects, ``flink_syntax`` how in Flink's where that differs.
        fluent: how PyFlink offers the function, where ordinary code makes that; special ones are written by hand.
        canonical: given the resolved arguments, returns the expression that a call of them really is, or None.
        kept: given a call of other arguments than those of which its type was inferred, returns what keeps that type,
            where it follows from what the arguments are called.
        supports_ignore_nulls: whether a call may pass over NULL.
        skips_nulls: whether it does so anyway, unless the call says RESPECT NULLS.
        nulls_flag: the position of a constant that says whether to pass over NULL, as the call may say, too.
        within_group: how an aggregate may order the rows of a group, None where it may not.
        takes_window_order: whether an aggregate's window may have an order and a frame.
        ordered: for a function over windows, whether its window must have an order.
        takes_frame: whether its window may have a frame; where not, ``own_frame`` is the one that it always has.
        in_spark: False where Spark has no such function and a lowering takes its place.
        spark_form: what a call is on Spark then, where the arguments alone say so; else see ``ir.lowerings``.
        also: further SQL names of the same function, which is printed under ``sql_name``.
        in_flink: False where Flink has no such function, or one that means something else, and no form of ``ir.flink``
            takes its place: its text is refused there.
        difference: how Flink's function of the same name or purpose differs, in a sentence for users of PyFlink.
        identifier: the name of a function that people wrote, where it has one; a built-in has none.
        called: what Spark calls it in the names of columns, where that is not the name that stands in the call.
        implementation: what runs a function that people wrote, which this layer does not look into.
        has_query: of a function of SQL, says whether its body reads rows, for each row those of its arguments.
        casts_arguments: whether the tree has to cast the arguments of such a function, since Spark does not.
        expansion: of a function that people wrote of expressions, what makes of the arguments of a call, and of its
            condition and usage where it is an aggregate, the expression that takes the place of the call as it is made.
        process: of a process table function, what it declares.
        monotonicity: of the first arguments, whether the value never falls or never rises as each of them grows, None
            where it may do both. Left aside are NULL, NaN, times with a local time zone, whose clocks go back, and
            months that are added to a time of day, where the day may have to be an earlier one.
        of_rows: of a function that is given the collected rows of a group, the one that a call on each row is of.
        runs_code: whether a call runs code that its arguments name, so that a stored one runs it for whoever queries.
        holds: what a call has of ``ir.contents`` besides what its kind and determinism say.
        doc: what it does, in one sentence; ``example`` is a SQL expression and its result.
    """

    name: str
    kind: FunctionKind
    inference: TypeInference
    sql_name: str
    flink_name: str | None = None
    syntax: CallSyntax = FUNCTION
    flink_syntax: CallSyntax | None = None
    fluent: tuple[FluentForm, ...] = ()
    is_deterministic: bool = True
    monotonicity: tuple[Monotonicity | None, ...] = ()
    supports_distinct: bool = False
    supports_ignore_nulls: bool = False
    skips_nulls: bool = False
    nulls_flag: int | None = None
    within_group: WithinGroup | None = None
    takes_window_order: bool = True
    ordered: bool = False
    takes_frame: bool = True
    own_frame: Frame | None = None
    canonical: Callable[[tuple[ResolvedExpression, ...]], ResolvedExpression | None] | None = None
    kept: Callable[[Any], ResolvedExpression] | None = None
    in_spark: bool = True
    spark_form: SparkForm | None = None
    also: tuple[str, ...] = ()
    in_flink: bool = True
    difference: str = ""
    identifier: FunctionIdentifier | None = None
    called: str | None = None
    implementation: object = None
    has_query: Callable[[], bool] | None = None
    casts_arguments: bool = True
    expansion: Expansion | None = None
    of_rows: FunctionDefinition | None = None
    process: ProcessSignature | None = None
    doc: str = ""
    example: tuple[str, str] | None = None
    runs_code: bool = False
    holds: int = NOTHING
    contents: int = attrs.field(init=False)
    is_built_in: bool = attrs.field(init=False)
    """Whether the function is one of this library, and not one that people wrote."""

    @contents.default
    def _contents(self) -> int:
        own = self.holds
        if self.kind is FunctionKind.AGGREGATE:
            own |= AGGREGATE
        if self.runs_code:
            own |= CODE
        return own if self.is_deterministic else own | CHANGING

    @is_built_in.default
    def _is_built_in(self) -> bool:
        return self.identifier is None and self.implementation is None

    @property
    def sql_names(self) -> tuple[str, ...]:
        """All names in SQL, the printed one first."""
        return tuple(name for name in (self.sql_name, self.flink_name, *self.also) if name is not None)

    @property
    def is_sql_of_spark(self) -> bool:
        """Whether it is a function of SQL that Spark has stored, and that it calls in a few places only."""
        return self.called is not None

    @property
    def is_code(self) -> bool:
        """Whether it is a function of values in Python, which Spark calls for whole rows only."""
        # Of one in SQL it is known whether its body holds a query.
        return self.kind is FunctionKind.SCALAR and self.implementation is not None and self.has_query is None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_built_in:
            # A built-in definition is a singleton of its module: pickled by name, so that identity survives.
            return _built_in, (self.name,)
        return _user_defined, (
            _key_of(self),
            {a.name: getattr(self, a.name) for a in attrs.fields(type(self)) if a.init},
        )

    def __repr__(self) -> str:
        return f"<{self.kind.value} function {self.name}>"


def _built_in(name: str) -> FunctionDefinition:
    from ir.functions.builtins import BUILT_INS

    return BUILT_INS.by_name(name)


# A function that people wrote is one object in a process, whichever way it came there: equal trees stay one tree.
_pickled: WeakValueDictionary[str, FunctionDefinition] = WeakValueDictionary()
_keys: WeakKeyDictionary[FunctionDefinition, str] = WeakKeyDictionary()


def _key_of(definition: FunctionDefinition) -> str:
    import uuid

    key = _keys.setdefault(definition, uuid.uuid4().hex)
    _pickled[key] = definition
    return key


def _user_defined(key: str, state: dict[str, Any]) -> FunctionDefinition:
    found = _pickled.get(key)
    if found is None:
        found = _pickled[key] = FunctionDefinition(**state)
        _keys[found] = key
    return found
