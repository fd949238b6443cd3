"""The notations of older versions of Spark, each made of that of the newest by the facts that differ."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

from ir.errors import TableException
from serializer.spark_notation import SPARK

if TYPE_CHECKING:
    from ir.targets.target import Target
    from serializer.notation import Notation


@cache
def notation_for(target: Target) -> Notation:
    """Return how SQL is written for a target."""
    changes: dict[str, Any] = {}
    if target.lacks_feature("ORDER BY of an aggregate after HAVING"):
        changes["sorts_groups_of_having"] = False
    if target.lacks_feature("qualified built-in function"):
        changes["qualify_hidden"] = partial(_refuse_hidden, target)
    return attrs.evolve(SPARK, **changes) if changes else SPARK


def _refuse_hidden(target: Target, name: str) -> NoReturn:
    raise TableException(
        f"The built-in function {name} cannot be called in {target.title}, because a temporary function has its name. "
        "Register that function under another name."
    )
