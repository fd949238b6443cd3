"""Arguments of a wrong kind: each public method refuses them by an error of this library, none by an internal one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tableapi import EnvironmentSettings, Schema, Table, TableEnvironment, TableException
from tableapi.expressions import col

# Methods that would start Spark, or print.
_RUNNING = {
    *("cache", "collect", "execute", "execute_insert", "explain", "fetch", "print_schema", "show"),
    *("to_arrow", "to_arrow_batches", "to_pandas", "to_spark", "as_spark_view"),
}


def _environment() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)


def _table() -> Table:
    return _environment().declare("t", {"a": "INT", "b": "STRING", "at": "TIMESTAMP(3)", "values": "ARRAY<INT>"})


class _Other:
    """Something that no method takes."""


def _values() -> list[Any]:
    texts = ["no such", "", b"x"]
    numbers = [5, 1.5, True]
    collections = [[], [5], (1,), {}, {"a": 5}, {5: "a"}]
    functions = [lambda: 1, lambda row: 5, int]
    return [*texts, *numbers, None, _Other(), *collections, *functions, col("a"), _table(), _environment()]


_OBJECTS: dict[str, Callable[[], Any]] = {
    "environment": _environment,
    "table": _table,
    "grouped table": lambda: _table().group_by(col("a")),
    "column": lambda: col("a"),
    "schema": Schema.new_builder,
    "settings": EnvironmentSettings.new_instance,
}


def _methods(of: Any) -> Iterator[tuple[str, inspect.Signature]]:
    for name in dir(type(of)):
        if name.startswith("_") or name in _RUNNING or isinstance(getattr(type(of), name), property):
            continue
        yield name, inspect.signature(getattr(of, name))


def _calls(signature: inspect.Signature, given: Any) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Yield arguments for each parameter in turn, with values of a likely kind for the others that are required."""
    parameters = signature.parameters.values()
    by_position = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    by_name = [p for p in parameters if p.default is p.empty and p.kind is p.KEYWORD_ONLY]
    optional = [p for p in parameters if p.default is not p.empty]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        yield [*("a" for _ in by_position), given], {p.name: "a" for p in by_name}
    for other in ("a", col("a")):
        named = {p.name: other for p in by_name}
        for position in range(len(by_position)):
            yield [given if position == n else other for n in range(len(by_position))], named
        for parameter in [*by_name, *optional]:
            yield [other] * len(by_position), {**named, parameter.name: given}


@pytest.mark.slow
@pytest.mark.parametrize("owner", _OBJECTS)
def test_no_argument_of_another_kind_shows_an_internal_error(owner: str) -> None:
    called = 0
    for name, signature in _methods(_OBJECTS[owner]()):
        for given in _values():
            for arguments, named in _calls(signature, given):
                called += 1
                try:
                    getattr(_OBJECTS[owner](), name)(*arguments, **named)
                except TableException:
                    continue
                except Exception as error:
                    pytest.fail(f"{name}(*{arguments}, **{named}) raises {type(error).__name__}: {error}")
    assert called > 100


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"environment_settings": EnvironmentSettings.new_instance()}, r"Call build\(\) of the builder\."),
        ({"environment_settings": "batch"}, r"it takes EnvironmentSettings\.in_batch_mode\(\)"),
        ({"spark": "sc://localhost"}, r"SparkSession\.builder\.remote\('sc://localhost'\)\.getOrCreate\(\)"),
        ({"spark": 5}, r"but was given 5\. Its builder makes one"),
        ({"warehouse": 5}, r"warehouse takes the path of a directory, but was given 5"),
    ],
)
def test_an_environment_says_what_it_is_created_from(given: dict[str, Any], advice: str) -> None:
    with pytest.raises(TableException, match=advice):
        TableEnvironment.create(**given)


def test_a_session_in_the_place_of_the_settings_gets_the_name_of_its_parameter() -> None:
    class Session:
        def sql(self, text: str) -> None: ...

    with pytest.raises(TableException, match=r"TableEnvironment\.create\(spark=session\)"):
        TableEnvironment.create(Session())  # type: ignore[arg-type]  # what is tested


def test_a_column_in_the_place_of_a_list_is_shown_as_a_list() -> None:
    with pytest.raises(TableException, match=r"ids of unpivot takes a list, .* Write \[col\('a'\)\]\."):
        _table().unpivot(col("a"), [col("b")], "n", "v")  # type: ignore[arg-type]  # what is tested
