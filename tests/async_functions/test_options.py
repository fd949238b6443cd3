"""Options: where they are set, which values are rejected, and which setting takes precedence."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from ir.errors import ValidationException
from ir.identifiers import FunctionIdentifier
from tableapi import EnvironmentSettings, TableConfig, TableEnvironment, udf
from tableapi.async_functions.options import OPTIONS, AsyncOptions, options_for, options_of_arguments, parse_duration

PREFIX = "table.exec.async-scalar."


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("30s", 30.0),
        ("100 ms", 0.1),
        ("3 min", 180.0),
        ("250", 0.25),
        ("1.5 H", 5400.0),
        ("2 days", 172800.0),
        ("5 µs", 5e-6),
        (" 7 Seconds ", 7.0),
        (dt.timedelta(milliseconds=20), 0.02),
    ],
)
def test_durations(given: Any, seconds: float) -> None:
    assert parse_duration(given, "timeout") == pytest.approx(seconds)


@pytest.mark.parametrize("given", ["", "s", "3 weeks", "-1 s", "1 s 2", None, 5, dt.timedelta(seconds=-1)])
def test_invalid_durations(given: Any) -> None:
    with pytest.raises(ValidationException, match=r"^timeout is a duration"):
        parse_duration(given, "timeout")


def test_defaults_equal_those_of_flink() -> None:
    options = AsyncOptions()
    found = {option.attribute: options.get(option.attribute) for option in OPTIONS}
    assert found == {
        "buffer_capacity": 10,
        "timeout": 180.0,
        "output_mode": "ORDERED",
        "retry_strategy": "FIXED_DELAY",
        "fixed_delay": 0.1,
        "max_delay": 60.0,
        "max_attempts": 3,
        "on_failure": "FAIL",
        "rate_limit": None,
        "deduplicate": False,
        "cache_size": 0,
        "cache_ttl": None,
        "batch_size": 100,
    }


def test_functions_before_decorators_before_all_before_defaults() -> None:
    config = TableConfig()
    config.set(PREFIX + "timeout", "1 s").set(PREFIX + "max-attempts", "7").set(PREFIX + "buffer-capacity", "70")
    config.set(PREFIX + "Cat.db.`my f`.timeout", "2 s").set(PREFIX + "system.g.timeout", "3 s")
    declared = options_of_arguments("f", {"timeout": "9 s", "max_attempts": 9})

    def found(*parts: str) -> tuple[Any, ...]:
        options = options_for(declared, FunctionIdentifier(parts) if parts else None, config.to_map())
        return tuple(options.get(name) for name in ("timeout", "max_attempts", "buffer_capacity", "fixed_delay"))

    assert found("cat", "DB", "My F") == (2.0, 9, 70, 0.1)
    assert found("G") == (3.0, 9, 70, 0.1)
    assert found("cat", "db", "g") == (9.0, 9, 70, 0.1)
    assert found() == (9.0, 9, 70, 0.1)


def test_later_names_are_the_same_options() -> None:
    config = TableConfig()
    config.set(PREFIX + "buffer-capacity", "5").set(PREFIX + "max-concurrent-operations", "6")
    config.set(PREFIX + "retry-delay", "1 s").set(PREFIX + "fixed-delay", "2 s")
    # The later one takes effect, and the other one is no longer set.
    assert config.to_map() == {PREFIX + "max-concurrent-operations": "6", PREFIX + "fixed-delay": "2 s"}
    assert config.get(PREFIX + "buffer-capacity", "") == "6"
    assert config.get(PREFIX + "retry-delay", "") == "2 s"
    assert config.get(PREFIX + "timeout", "none") == "none"
    options = options_for(AsyncOptions(), None, config.to_map())
    assert (options.get("buffer_capacity"), options.get("fixed_delay")) == (6, 2.0)
    assert options_of_arguments("f", {"max_concurrent_operations": 4}).get("buffer_capacity") == 4


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("timout", "3 s", r"no option 'timout' of asynchronous functions .*Did you mean 'timeout'\?"),
        ("timeout", "3 parsecs", r"timeout is a duration such as '30s'.*, but '3 parsecs' was given\."),
        ("timeout", "0 s", r"timeout is a duration above 0, but '0 s' was given\."),
        ("buffer-capacity", "0", r"buffer-capacity is a whole number from 1, but '0' was given\."),
        ("max-attempts", "two", r"max-attempts is a whole number from 1, but 'two' was given\."),
        ("output-mode", "UNORDERED", r"one of ORDERED, ALLOW_UNORDERED, but 'UNORDERED' was given"),
        ("retry-strategy", "FIXED", r"one of NO_RETRY, FIXED_DELAY, EXPONENTIAL_DELAY, but 'FIXED' was given"),
        ("rate-limit", "0", r"rate-limit is a number of calls in a second, above 0, but '0' was given\."),
        ("deduplicate", "yes", r"deduplicate is true or false, but 'yes' was given\."),
        (
            "on-failure",
            "DEFAULT",
            r"on-failure is FAIL or NULL, but 'DEFAULT' was given: a default_value is an argument",
        ),
        ("db.f.timeout", "3 s", r"db\.f\.timeout is for no function: .*<catalog>\.<database>\.<function>\.timeout"),
        ("a.b.c.d.timeout", "3 s", r"a\.b\.c\.d"),
    ],
)
def test_values_rejected_when_set(key: str, value: str, message: str) -> None:
    config = TableConfig()
    with pytest.raises(ValidationException, match=message):
        config.set(PREFIX + key, value)
    assert config.to_map() == {}


def test_options_in_sql() -> None:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    env = TableEnvironment.create(settings)
    env.execute_sql(f"SET '{PREFIX}system.f.timeout' = '5 s'")
    env.execute_sql(f"SET {PREFIX}max-concurrent-operations = 3")
    assert env.get_config().to_map() == {
        PREFIX + "system.f.timeout": "5 s",
        PREFIX + "max-concurrent-operations": "3",
    }
    with pytest.raises(ValidationException, match="Did you mean 'max-attempts'"):
        env.execute_sql(f"SET '{PREFIX}max-attempt' = '5'")
    env.execute_sql(f"RESET '{PREFIX}system.f.timeout'")
    assert env.get_config().to_map() == {PREFIX + "max-concurrent-operations": "3"}


async def plain(x: int) -> int:
    return x


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"timout": "3 s"},
            r"udf has no argument 'timout'\. Did you mean 'timeout'\? It accepts \[.*\]; of an asynchronous.*",
        ),
        ({"timeout": "soon"}, r"timeout of plain is a duration .*'soon'"),
        ({"fixed_delay": "1 s", "retry_delay": "2 s"}, r"given fixed_delay twice: retry_delay is another name of it"),
        ({"retryable": ConnectionError("x")}, r"retryable of plain is a function that says of an exception"),
        ({"on_failure": "DEFAULT"}, r"on_failure='DEFAULT', and so needs a default_value"),
        ({"on_failure": "NULL", "default_value": 1}, r"default_value, but on_failure='NULL' does not use it"),
        ({"batch_size": 5}, r"plain has a batch_size, but no method eval_batch"),
        ({"deduplicate": True, "deterministic": False}, r"plain is not deterministic: .* cannot share a result"),
        ({"func_type": "pandas", "result_type": "INT"}, r"func_type 'general' only, but was given 'pandas'"),
    ],
)
def test_arguments_rejected_by_the_decorator(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        udf(plain, **given)
