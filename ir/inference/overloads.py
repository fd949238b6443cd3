"""Functions with several signatures, chosen by the types of the arguments."""

from __future__ import annotations

from ir import light_attrs as attrs
from ir import types as t
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf
from ir.types import LogicalType

_WHOLE = (t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType)
# The distance of a cast: none, to another integer, to another number, or to another kind or with a loss of fractions.
_NO_CAST, _WIDER, _OTHER_NUMBER, _OTHER_KIND = 0, 1, 3, 9


@attrs.frozen(eq=False, repr=False)
class Overloaded(AnyOf):
    """The signature whose arguments need the smallest casts; the first one wins a tie."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        found = self.choice(context)
        return None if found is None else self.options[found].infer_inputs(context)

    def choice(self, context: CallContext) -> int | None:
        """Return the position of the signature that a call matches, None if it matches none.

        A call matches the same signature after its arguments are cast to the types of that signature.
        """
        nearest: tuple[int, int] | None = None
        for position, option in enumerate(self.options):
            accepted = option.infer_inputs(context) if option.accepts_count(len(context)) else None
            if accepted is None:
                continue
            distance = sum(map(_distance, context.argument_types, accepted))
            if nearest is None or distance < nearest[0]:
                nearest = distance, position
        return None if nearest is None else nearest[1]


def _distance(given: LogicalType, accepted: LogicalType) -> int:
    if isinstance(given, t.NullType) or given.same_type(accepted):
        return _NO_CAST
    if isinstance(given, _WHOLE) and isinstance(accepted, _WHOLE):
        return _WIDER
    both = isinstance(given, t.NumericType) and isinstance(accepted, t.NumericType)
    # A cast to an integer drops the fraction.
    return _OTHER_NUMBER if both and not isinstance(accepted, _WHOLE) else _OTHER_KIND
