"""How Spark shows calls of its functions of time in the names of columns, where they are no plain calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grammar import syntax as s
from ir.identifiers import fold
from ir.types import LogicalType, TimestampType

_IN_UNITS = {
    **dict.fromkeys(("timestampadd", "dateadd", "date_add"), "timestampadd"),
    **dict.fromkeys(("timestampdiff", "timediff", "datediff", "date_diff"), "timestampdiff"),
}


def shown(node: s.Call, type_of: Callable[[Any], LogicalType | None]) -> list[Any] | None:
    """Return the parts of a call's name, text and expressions, or None where the call is shown as any other one."""
    name, arguments = fold(node.function.names[-1].text), list(node.arguments)
    if node.form == "to":
        return [f"{name}(", arguments[0], f" TO {arguments[1].text.upper()})"]
    if name in ("extract", "date_part", "datepart") and len(arguments) == 2 and node.form == "from":
        return [f"extract({_word(arguments[0])} FROM ", arguments[1], ")"]
    if name in ("extract", "datepart") and len(arguments) == 2:
        return [f"{name}(", arguments[0], " FROM ", arguments[1], ")"]
    if name in _IN_UNITS and len(arguments) == 3:
        return [f"{_IN_UNITS[name]}({_word(arguments[0])}, ", *_separated(arguments[1:]), ")"]
    return _replaced(name, arguments, type_of)


def _replaced(name: str, arguments: list[Any], type_of: Callable[[Any], LogicalType | None]) -> list[Any] | None:
    """Return a call that is shown as what Spark replaces it with, None for another."""
    parts = _separated(arguments)
    if name in ("make_timestamp_ltz", "try_make_timestamp_ltz") and len(arguments) < 6:
        return ["make_timestamp(", *parts, ")"]
    if name == "try_make_timestamp" and len(arguments) == 7:
        return [f"{name}(", *_separated(arguments[:6]), ")"]
    if name == "try_make_timestamp_ntz" and len(arguments) == 2:
        return [f"{name}(make_timestamp_ntz(", *parts, "))"]
    if name == "try_to_time":
        return [f"{name}(to_time(", *parts, "))"]
    if name == "convert_timezone" and len(arguments) == 2:
        return [f"{name}(current_timezone(), ", *parts, ")"]
    if name == "time_bucket" and len(arguments) == 2:
        keyword = "TIMESTAMP_NTZ" if isinstance(type_of(arguments[1]), TimestampType) else "TIMESTAMP"
        return [f"{name}(", *parts, f", {keyword} '1970-01-01 00:00:00')"]
    return None


def _word(node: Any) -> str:
    return node.names[-1].text if isinstance(node, s.Path) else ""


def _separated(arguments: Sequence[Any]) -> list[Any]:
    parts: list[Any] = []
    for argument in arguments:
        parts += [", ", argument] if parts else [argument]
    return parts
