"""How a query over a stream runs: its trigger, checkpoint, output mode and name."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from ir.errors import ValidationException, did_you_mean, listing

__all__ = ["StreamOptions"]

PREFIX: Final = "execution.stream."
"""The prefix of the configuration keys."""
OUTPUT_MODES: Final = ("append", "update", "complete")
AVAILABLE_NOW: Final = "available-now"
REAL_TIME: Final = "real-time"
_KEYS: Final[Mapping[str, str]] = {
    f"{PREFIX}trigger": "trigger",
    f"{PREFIX}checkpoint": "checkpoint",
    f"{PREFIX}output-mode": "output_mode",
    f"{PREFIX}name": "name",
    f"{PREFIX}restore-from": "restore_from",
    f"{PREFIX}allow-state-loss": "allow_state_loss",
}
_UNITS: Final = ("millisecond", "second", "minute", "hour", "day")
_INTERVAL: Final = re.compile(r"(\d+)\s+([a-z]+)")
_LONGEST_NAME: Final = 200


def _trigger(given: Any) -> str | None:
    """Return a trigger as text: ``available-now``, ``real-time``, an interval, or ``real-time`` and an interval."""
    if given is None:
        return None
    if isinstance(given, dt.timedelta):
        milliseconds = round(given.total_seconds() * 1000)
        if milliseconds < 0:
            raise ValidationException(f"The trigger is an interval of {given}, and an interval is not negative.")
        return f"{milliseconds} milliseconds"
    if not isinstance(given, str):
        raise ValidationException(f"A trigger is a string or a timedelta, but was given {given!r}.")
    text = " ".join(given.lower().replace("_", "-").split())
    if text in (AVAILABLE_NOW, REAL_TIME):
        return text
    head, _, rest = text.partition(" ")
    if head == REAL_TIME:
        return f"{REAL_TIME} {_interval(rest, given)}"
    return _interval(text, given)


def _interval(text: str, given: str) -> str:
    found = _INTERVAL.fullmatch(text)
    if found is None:
        raise ValidationException(
            f"There is no trigger {given!r}. A trigger is {AVAILABLE_NOW!r}, an interval such as '10 seconds' or a "
            f"timedelta, or {REAL_TIME!r}." + did_you_mean(text, (AVAILABLE_NOW, REAL_TIME))
        )
    unit = found[2].removesuffix("s")
    if unit not in _UNITS:
        raise ValidationException(
            f"The trigger {given!r} has the unit {found[2]!r}. Units are [{listing([f'{name}s' for name in _UNITS])}]."
            + did_you_mean(found[2], [f"{name}s" for name in _UNITS])
        )
    return f"{int(found[1])} {unit}s"


def _output_mode(given: Any) -> str | None:
    if given is None:
        return None
    mode = given.strip().lower() if isinstance(given, str) else given
    if mode not in OUTPUT_MODES:
        raise ValidationException(
            f"There is no output mode {given!r}. Output modes are [{listing(OUTPUT_MODES)}]."
            + did_you_mean(str(given), OUTPUT_MODES)
        )
    return str(mode)


def _name(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or not given.strip() or len(given) > _LONGEST_NAME:
        raise ValidationException(
            f"The name of a query is a string of 1 to {_LONGEST_NAME} characters, but was given {given!r:.300}."
        )
    return given.strip()


def _checkpoint(given: Any) -> str | None:
    if given is None:
        return None
    path = os.fspath(given) if isinstance(given, os.PathLike) else given
    if not isinstance(path, str) or not path.strip():
        raise ValidationException(f"A checkpoint is the path of a directory, but was given {given!r}.")
    return path


def _allow(given: Any) -> bool | None:
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        return given.strip().lower() == "true"
    if given is not None and not isinstance(given, bool):
        raise ValidationException(f"allow_state_loss is True or False, but was given {given!r}.")
    return given


@attrs.frozen
class StreamOptions:
    """How a query over a stream runs. A value that is None is taken from the configuration, or chosen.

    The configuration has the same options for SQL: ``execution.stream.trigger``, ``execution.stream.checkpoint``,
    ``execution.stream.output-mode``, ``execution.stream.name``, ``execution.stream.restore-from`` and
    ``execution.stream.allow-state-loss``. Values that are given here win.

    Args:
        trigger: when a batch begins. ``available-now`` processes the rows that exist at the start, in as many batches
            as the source makes of them, and ends. An interval, as text or a ``timedelta``, begins a batch after each
            interval. ``real-time``, also with an interval (``real-time 5 minutes``), processes rows as they come, where
            Spark can. By default, a batch begins when the last one has ended, until the query is stopped.
        checkpoint: the directory that stores how far the query has read, and its state. By default, it is the directory
            of the query's name under ``TABLEAPI_HOME``.
        output_mode: ``append``, ``update`` or ``complete``. By default, it is the first of them that both the sink and
            the query have.
        name: the name of the query, by default the one of its sink.
        restore_from: the checkpoint of another query, from which a new checkpoint takes the states of process table
            functions by their ``uid``, the offsets of equal sources, and the watermark. Once the checkpoint exists, it
            has no effect.
        allow_state_loss: whether ``restore_from`` may drop state that the query cannot take over.

    Raises:
        ValidationException: a value is invalid; the message has the accepted ones.

    >>> StreamOptions(trigger="10 second", output_mode="Append")
    StreamOptions(trigger='10 seconds', output_mode='append')
    >>> StreamOptions(trigger="avaliable-now")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tableapi.exceptions.ValidationException: There is no trigger 'avaliable-now'. ... Did you mean 'available-now'?
    """

    trigger: str | dt.timedelta | None = attrs.field(default=None, converter=_trigger)
    checkpoint: str | os.PathLike[str] | None = attrs.field(default=None, converter=_checkpoint)
    output_mode: str | None = attrs.field(default=None, converter=_output_mode)
    name: str | None = attrs.field(default=None, converter=_name)
    restore_from: str | os.PathLike[str] | None = attrs.field(default=None, converter=_checkpoint)
    allow_state_loss: bool | None = attrs.field(default=None, converter=_allow)

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in attrs.asdict(self).items() if value is not None]
        return f"StreamOptions({', '.join(given)})"


def require_options(given: object) -> StreamOptions | None:
    """Return options that were passed to a method.

    Raises:
        ValidationException: the object is not ``StreamOptions``.
    """
    if given is not None and not isinstance(given, StreamOptions):
        raise ValidationException(
            f"options takes StreamOptions, but was given {given!r:.200}. "
            "Make them with StreamOptions(trigger='available-now')."
        )
    return given


def require_no_options(given: StreamOptions | None) -> None:
    """Reject options for an insert whose rows have an end.

    Raises:
        ValidationException: there are options.
    """
    if given is not None:
        raise ValidationException(
            "options is for queries over streams, and the rows of this one have an end. Leave it out. Nothing was "
            "written."
        )


def check_entry(key: str, value: str) -> None:
    """Check an entry of the configuration whose key begins with the prefix.

    Raises:
        ValidationException: there is no such key, or the value is invalid.
    """
    option = _KEYS.get(key)
    if option is None:
        raise ValidationException(
            f"There is no configuration key {key!r}. The keys of queries over streams are [{listing(_KEYS)}]."
            + did_you_mean(key, _KEYS)
        )
    StreamOptions(**{option: value})


def combine(given: StreamOptions | None, parameters: Mapping[str, str]) -> StreamOptions:
    """Return options with the values of the configuration for those that are None."""
    found = {option: parameters[key] for key, option in _KEYS.items() if key in parameters}
    own = {} if given is None else {name: value for name, value in attrs.asdict(given).items() if value is not None}
    return StreamOptions(**{**found, **own})
