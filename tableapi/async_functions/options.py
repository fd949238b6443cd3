"""Options of asynchronous calls: their definitions, where they are set, and which setting wins.

Source: FLIP-400, and https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/config/
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, get_args

from ir import light_attrs as attrs
from ir.errors import ValidationException, did_you_mean, listing
from ir.identifiers import FunctionIdentifier, fold_path, parse_path
from tableapi.async_functions import PREFIX

Parse = Callable[[object, str], Any]


@attrs.frozen
class Option:
    """An option: its names in the configuration, the parser of its value, and its default."""

    name: str
    parse: Parse
    default: Any
    doc: str
    also: tuple[str, ...] = ()

    @property
    def attribute(self) -> str:
        """The name of the option in Python."""
        return self.name.replace("-", "_")


def _number(least: int) -> Parse:
    def parse(given: object, what: str) -> int:
        try:
            value = int(given) if isinstance(given, (int, str)) and not isinstance(given, bool) else None
        except ValueError:
            value = None
        if value is None or value < least:
            raise ValidationException(f"{what} is a whole number from {least}, but {given!r} was given.")
        return value

    return parse


def _rate(given: object, what: str) -> float:
    try:
        value = float(given) if isinstance(given, (int, float, str)) and not isinstance(given, bool) else 0.0
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ValidationException(f"{what} is a number of calls in a second, above 0, but {given!r} was given.")
    return value


def _parse_boolean(given: object, what: str) -> bool:
    text = str(given).strip().lower()
    if text not in ("true", "false"):
        raise ValidationException(f"{what} is true or false, but {given!r} was given.")
    return text == "true"


def _parse_choice(*names: str) -> Parse:
    def parse(given: object, what: str) -> str:
        text = str(given).strip().upper()
        if text not in names:
            raise ValidationException(
                f"{what} is one of {listing(names)}, but {given!r} was given." + did_you_mean(text, names)
            )
        return text

    return parse


# Durations as configurations write them: 30s, 100 ms, 3 min.
_SECONDS = {
    1e-9: ("ns", "nano", "nanos", "nanosecond", "nanoseconds"),
    1e-6: ("us", "µs", "micro", "micros", "microsecond", "microseconds"),
    1e-3: ("ms", "milli", "millis", "millisecond", "milliseconds"),
    1.0: ("s", "sec", "secs", "second", "seconds"),
    60.0: ("m", "min", "mins", "minute", "minutes"),
    3600.0: ("h", "hour", "hours"),
    86400.0: ("d", "day", "days"),
}
_UNITS = {unit: seconds for seconds, units in _SECONDS.items() for unit in units}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zµ]*)\s*", re.IGNORECASE)


def parse_duration(given: object, what: str) -> float:
    """Return a duration in seconds; a number without a unit counts milliseconds, as in Flink.

    >>> parse_duration("3 min", "timeout")
    180.0

    Args:
        given: a string or a timedelta.
        what: the name of the setting for the message.

    Raises:
        ValidationException: the value is not a duration, or is negative.
    """
    if isinstance(given, dt.timedelta):
        seconds = given.total_seconds()
        if seconds < 0:
            raise ValidationException(f"{what} is a duration from 0, but {given} was given.")
        return seconds
    found = _DURATION.fullmatch(given) if isinstance(given, str) else None
    unit = None if found is None else _UNITS.get(found.group(2).lower() or "ms")
    if found is None or unit is None:
        raise ValidationException(
            f"{what} is a duration such as '30s', '100 ms' or '3 min' (units: ns, us, ms, s, min, h, d), or a "
            f"timedelta, but {given!r} was given."
        )
    return float(found.group(1)) * unit


def positive_duration(given: object, what: str) -> float:
    """Return a duration above 0 in seconds.

    Args:
        given: a string or a timedelta.
        what: the name of the setting for the message.

    Raises:
        ValidationException: the value is not such a duration.
    """
    seconds = parse_duration(given, what)
    if not seconds:
        raise ValidationException(f"{what} is a duration above 0, but {given!r} was given.")
    return seconds


# For type checkers; at run time, any case is accepted.
OutputMode = Literal["ORDERED", "ALLOW_UNORDERED"]
RetryStrategy = Literal["NO_RETRY", "FIXED_DELAY", "EXPONENTIAL_DELAY"]
OnFailure = Literal["FAIL", "NULL", "DEFAULT"]
ORDERED, ALLOW_UNORDERED = get_args(OutputMode)

OPTIONS = (
    Option(
        "buffer-capacity",
        _number(1),
        10,
        "How many calls each task has in flight at once.",
        ("max-concurrent-operations",),
    ),
    Option("timeout", positive_duration, 180.0, "How long a call may take, over all its attempts."),
    Option(
        "output-mode",
        _parse_choice(*get_args(OutputMode)),
        ORDERED,
        "Whether rows keep their order; ALLOW_UNORDERED lets them leave as they are done, where no one can tell.",
    ),
    Option(
        "retry-strategy",
        _parse_choice(*get_args(RetryStrategy)),
        "FIXED_DELAY",
        "When a call that failed is tried again; delays that grow are spread at random by a fifth.",
    ),
    Option(
        "fixed-delay",
        parse_duration,
        0.1,
        "How long to wait before the next attempt; of EXPONENTIAL_DELAY, before the second one.",
        ("retry-delay",),
    ),
    Option("max-delay", positive_duration, 60.0, "The longest delay of EXPONENTIAL_DELAY."),
    Option("max-attempts", _number(1), 3, "How often a call is tried in all."),
    Option(
        "on-failure",
        _parse_choice(*get_args(OnFailure)),
        "FAIL",
        "What a call that failed for good does: fail the query, or give NULL, or the default_value of the function.",
    ),
    Option("rate-limit", _rate, None, "How many attempts each task may start in a second."),
    Option("deduplicate", _parse_boolean, False, "Whether calls with equal arguments share the one that is in flight."),
    Option("cache-size", _number(0), 0, "How many results each task keeps for calls with equal arguments."),
    Option("cache-ttl", positive_duration, None, "How long a result may be used again; without it, for ever."),
    Option("batch-size", _number(1), 100, "How many calls eval_batch is given at most."),
)
_BY_NAME = {name: option for option in OPTIONS for name in (option.name, *option.also)}
_BY_ATTRIBUTE = {name.replace("-", "_"): option for name, option in _BY_NAME.items()}
_CODE = ("retryable", "default_value")


def option_names() -> tuple[str, ...]:
    """Return the names of all options that ``udf`` takes for an asynchronous function, including alternative names."""
    return (*_BY_ATTRIBUTE, *_CODE)


class AsyncArguments(TypedDict, total=False):
    """The options of an asynchronous function as arguments of ``udf``."""

    buffer_capacity: int
    max_concurrent_operations: int
    timeout: str | dt.timedelta
    output_mode: OutputMode
    retry_strategy: RetryStrategy
    fixed_delay: str | dt.timedelta
    retry_delay: str | dt.timedelta
    max_delay: str | dt.timedelta
    max_attempts: int
    on_failure: OnFailure
    rate_limit: float
    deduplicate: bool
    cache_size: int
    cache_ttl: str | dt.timedelta
    batch_size: int
    retryable: Callable[[BaseException], bool]
    default_value: Any


@attrs.frozen(eq=False)
class AsyncOptions:
    """The explicit options of a function, by their names in Python."""

    values: tuple[tuple[str, Any], ...] = ()
    retryable: Callable[[BaseException], bool] | None = None
    default_value: Any = None

    def _compared(self) -> tuple[object, ...]:
        # The default may be any value, also one that cannot be compared or hashed.
        return self.values, self.retryable, id(self.default_value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AsyncOptions) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def get(self, attribute: str) -> Any:
        """Return the value of an option, or its default."""
        return dict(self.values).get(attribute, _BY_ATTRIBUTE[attribute].default)

    def over(self, other: AsyncOptions) -> AsyncOptions:
        """Return these options, completed by the options of ``other``."""
        merged = {**dict(other.values), **dict(self.values)}
        return attrs.evolve(self, values=tuple(sorted(merged.items())))


NO_OPTIONS = AsyncOptions()


def options_of_arguments(function: str, given: Mapping[str, Any]) -> AsyncOptions:
    """Parse the options in the arguments of a function's decorator.

    Raises:
        ValidationException: the value of an option is invalid, or an option is set twice.
    """
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name in _CODE:
            continue
        option = _BY_ATTRIBUTE[name]
        if option.attribute in values:
            raise ValidationException(
                f"The asynchronous function {function} is given {option.attribute} twice: {name} is another name of it."
            )
        values[option.attribute] = option.parse(value, f"{name} of {function}")
    retryable = given.get("retryable")
    if retryable is not None and not callable(retryable):
        raise ValidationException(
            f"retryable of {function} is a function that says of an exception whether to try again, but {retryable!r} "
            "was given."
        )
    if "default_value" in given:
        if values.setdefault("on_failure", "DEFAULT") != "DEFAULT":
            raise ValidationException(
                f"{function} has a default_value, but on_failure={values['on_failure']!r} does not use it."
            )
    elif values.get("on_failure") == "DEFAULT":
        raise ValidationException(f"{function} has on_failure='DEFAULT', and so needs a default_value.")
    return AsyncOptions(tuple(sorted(values.items())), retryable, given.get("default_value"))


# --- the configuration -----------------------------------------------------------------------------------------------


@attrs.frozen
class _Key:
    """A key of the configuration: an option, and the path of the function that it is for; None for all functions."""

    option: Option
    path: tuple[str, ...] | None


def check_entry(key: str, value: str) -> list[str]:
    """Check an entry of the configuration, and return the keys that set the same option for the same functions.

    Raises:
        ValidationException: the option is unknown, or its value is invalid.
    """
    found = _key(key)
    if found.option.name == "on-failure" and value.strip().upper() == "DEFAULT":
        raise ValidationException(
            f"{key} is FAIL or NULL, but {value!r} was given: a default_value is an argument of udf, which sets it."
        )
    found.option.parse(value, key)
    return find_other_keys(key)


def find_other_keys(key: str) -> list[str]:
    """Return the alternative keys of an option for the same functions; an empty list for an unknown option."""
    head, _, name = key.rpartition(".")
    option = _BY_NAME.get(name)
    return [] if option is None else [f"{head}.{other}" for other in (option.name, *option.also) if other != name]


def _key(key: str) -> _Key:
    rest = key.removeprefix(PREFIX)
    path_text, _, name = rest.rpartition(".")
    option = _BY_NAME.get(name)
    if option is None:
        raise ValidationException(
            f"There is no option {name!r} of asynchronous functions ({key}); there are [{listing(list(_BY_NAME))}]."
            + did_you_mean(name, list(_BY_NAME))
        )
    if not path_text:
        return _Key(option, None)
    path = fold_path(parse_path(path_text))
    if len(path) != 3 and not (len(path) == 2 and path[0] == "system"):
        raise ValidationException(
            f"{key} is for no function: an option of one is {PREFIX}<catalog>.<database>.<function>.{name}, or "
            f"{PREFIX}system.<function>.{name} for a system function; {PREFIX}{name} is for all."
        )
    return _Key(option, path)


def _path_of(identifier: FunctionIdentifier) -> tuple[str, ...]:
    parts = fold_path(identifier.parts)
    return ("system", *parts[-1:]) if identifier.is_system else parts


def options_for(
    declared: AsyncOptions, identifier: FunctionIdentifier | None, configuration: Mapping[str, str]
) -> AsyncOptions:
    """Return the effective options of a function.

    Settings of the configuration for this function come first, then its decorator, then settings for all functions.
    """
    own: dict[str, Any] = {}
    general: dict[str, Any] = {}
    path = None if identifier is None else _path_of(identifier)
    for key, value in configuration.items():
        if key.startswith(PREFIX):
            found = _key(key)
            if found.path is None:
                general[found.option.attribute] = found.option.parse(value, key)
            elif found.path == path:
                own[found.option.attribute] = found.option.parse(value, key)
    first = attrs.evolve(declared, values=tuple(own.items()))
    return first.over(declared).over(AsyncOptions(tuple(general.items())))
