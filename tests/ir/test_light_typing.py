"""The names of ``ir.light_typing`` do at run time what modules of the start need of ``typing``."""

from __future__ import annotations

import typing
from types import GenericAlias
from typing import Any

import pytest

from ir import light_typing as light
from tableapi.expression import Expression


def test_typing_has_each_name() -> None:
    assert [name for name in light.__all__ if not hasattr(typing, name)] == []


def test_names_in_annotations_take_arguments_and_alternatives() -> None:
    names: Any = light
    for form in (names.Any, names.ClassVar[int], names.Final[str], names.TypeVar("T", bound=int)):
        assert form | None is form
        assert int | form is form


def test_a_literal_type_knows_its_values() -> None:
    names: Any = light
    assert names.get_args(names.Literal["a", "b"]) == ("a", "b")
    assert names.get_args(names.Literal["a"]) == ("a",)
    assert typing.get_args(names.Literal["a"] | names.Literal["b"]) == (names.Literal["a"], names.Literal["b"])


def test_a_generic_class_takes_type_arguments() -> None:
    annotated: Any = Expression[int]
    assert type(annotated) is GenericAlias
    assert (typing.get_origin(annotated), typing.get_args(annotated)) == (Expression, (int,))

    class Own(Expression[int]):
        pass

    own: Any = Own
    assert own.__mro__[1] is Expression


def test_calls_return_what_they_are_given() -> None:
    value = object()
    names: Any = light
    assert names.cast(int, value) is value
    assert names.overload(str) is str


@pytest.mark.parametrize("name", ["Protocol", "Generic"])
def test_bases_add_no_dictionary(name: str) -> None:
    base: Any = getattr(light, name)
    made = type("Made", (base,), {"__slots__": ()})
    assert not hasattr(made(), "__dict__")
