"""The tables and environments among the variables of a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ir.errors import ValidationException, did_you_mean, listing
from tableapi.environment.table_environment import TableEnvironment

_Value = TypeVar("_Value")


def variables_of(namespace: Mapping[str, Any], kind: type[_Value]) -> dict[str, _Value]:
    """Return the variables whose values have a type, without those that IPython keeps for itself, such as ``_1``."""
    # Another thread may add variables.
    return {name: value for name, value in [*namespace.items()] if name[:1] != "_" and isinstance(value, kind)}


def environment_in(namespace: Mapping[str, Any], name: str | None) -> TableEnvironment:
    """Return the environment of a variable; without a name, the only environment that there is.

    Args:
        namespace: the variables.
        name: the name of the variable; None for the only environment.

    Raises:
        ValidationException: the variable is not an environment, or there is none, or there are several.
    """
    known = variables_of(namespace, TableEnvironment)
    if name is not None:
        found = namespace.get(name)
        if isinstance(found, TableEnvironment):
            return found
        problem = "does not exist" if found is None else f"is no TableEnvironment, but a {type(found).__name__}"
        names = f" The environments are [{listing(known)}].{did_you_mean(name, [*known])}" if known else _NONE
        raise ValidationException(f"The variable {name!r} of --env {problem}.{names}")
    distinct = {id(value): value for value in known.values()}
    if len(distinct) == 1:
        return next(iter(distinct.values()))
    if distinct:
        raise ValidationException(f"There are several environments: [{listing(known)}]. Choose one by --env.")
    raise ValidationException(f"The notebook has no TableEnvironment.{_NONE}")


_NONE = " Create one: te = TableEnvironment.create()."
