"""The named tuples of ``ir.light_tuples`` behave as those of ``typing``."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from typing import Any

import pytest

from ir import light_tuples
from ir.engine_version import EngineVersion


def _version(base: Any) -> Any:
    class Version(base):
        """A version."""

        major: int
        minor: int = 0

        @property
        def text(self) -> str:
            return f"{self.major}.{self.minor}"

        @classmethod
        def of(cls, text: str) -> Any:
            return cls(*map(int, text.split(".")))

        def __str__(self) -> str:
            return self.text

    return Version


@pytest.mark.parametrize("base", [typing.NamedTuple, light_tuples.NamedTuple], ids=["typing", "light"])
def test_named_tuples(base: Any) -> None:
    version = _version(base)
    made = version(4, minor=1)
    assert made == (4, 1)
    assert made < version(5)
    assert version(4) == (4, 0)
    assert (str(made), repr(made), made.text, version.of("3.5")) == ("4.1", "Version(major=4, minor=1)", "4.1", (3, 5))
    assert (made._replace(minor=2), made._asdict()) == ((4, 2), {"major": 4, "minor": 1})
    assert (version._fields, version._field_defaults, version.__match_args__) == (
        ("major", "minor"),
        {"minor": 0},
        ("major", "minor"),
    )
    assert list(inspect.signature(version).parameters) == ["major", "minor"]
    assert (version.__doc__, version.__module__, version.__name__) == ("A version.", __name__, "Version")
    assert typing.get_type_hints(version) == {"major": int, "minor": int}
    assert copy.copy(made) == made
    assert isinstance(made, tuple)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'major'"):
        version()
    with pytest.raises(AttributeError):
        made.minor = 3


def test_pickling() -> None:
    assert pickle.loads(pickle.dumps(EngineVersion(4, 1))) == EngineVersion(4, 1)
    assert EngineVersion.__qualname__ == "EngineVersion"
