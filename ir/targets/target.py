"""Targets: the engines, in one version each, that SQL is written for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

import attrs

from ir.errors import ValidationException, did_you_mean

_NAME = re.compile(r"([a-z]+)-(\d+)\.(\d+)(\.\d+)*", re.ASCII)
_NUMBERS = re.compile(r"(\d+)\.(\d+)", re.ASCII)


class EngineVersion(NamedTuple):
    """A version of an engine, without the number of the bug fix release.

    >>> EngineVersion.of("4.0.2-amzn-1")
    EngineVersion(major=4, minor=0)
    >>> EngineVersion(3, 5) < EngineVersion(4, 0)
    True
    """

    major: int
    minor: int

    @classmethod
    def of(cls, text: str) -> EngineVersion:
        """Return the version that a text begins with.

        Raises:
            ValidationException: the text does not begin with a version.
        """
        found = _NUMBERS.match(text) if isinstance(text, str) else None
        if found is None:
            raise ValidationException(f"{text!r} is no version; a version begins with two numbers, as 4.0 or 4.0.2.")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@attrs.frozen(repr=False, order=True)
class Target:
    """An engine in one version, for which SQL is written.

    The newest Spark has everything that this library writes. What an older version lacks is replaced by an equivalent,
    or refused.

    >>> Target.of("spark-4.0")
    Target('spark-4.0')
    >>> Target.of("spark-4.0").lacks_function("TIME_BUCKET")
    True
    >>> Target.NEWEST.name
    'spark-4.3'

    Attributes:
        engine: the engine in lower case, such as ``spark``.
        version: its version.
    """

    engine: str
    version: EngineVersion

    NEWEST: ClassVar[Target]

    @classmethod
    def of(cls, given: Target | str) -> Target:
        """Return a target, or the one that has a name such as ``spark-4.0``; bug fix releases have no target.

        Raises:
            ValidationException: there is no such target; the message lists the targets.
        """
        if isinstance(given, Target):
            return given
        found = _NAME.fullmatch(given.lower()) if isinstance(given, str) else None
        if found is not None:
            target = cls(found[1], EngineVersion(int(found[2]), int(found[3])))
            if target in targets():
                return target
        names = [target.name for target in targets()]
        raise ValidationException(
            f"{given!r} is no target; accepted are {', '.join(names)}."
            + (did_you_mean(given, names) if isinstance(given, str) else "")
        )

    @property
    def name(self) -> str:
        """The name, such as ``spark-4.0``."""
        return f"{self.engine}-{self.version}"

    @property
    def title(self) -> str:
        """The engine and the version for messages, such as ``Spark 4.0``."""
        return f"{self.engine.capitalize()} {self.version}"

    @property
    def is_newest(self) -> bool:
        """Whether the target has everything that this library writes."""
        return self == Target.NEWEST

    def lacks_function(self, name: str) -> bool:
        """Whether the engine has no built-in function of a SQL name."""
        return name.lower() in self._lacks.functions

    def lacks_feature(self, feature: str) -> bool:
        """Whether the engine lacks a clause, type or literal; the names are those of ``availability.json``."""
        return feature in self._lacks.features

    @cached_property
    def _lacks(self) -> Lacks:
        return _measured()[self.name]

    def __repr__(self) -> str:
        return f"Target({self.name!r})"


@attrs.frozen
class Lacks:
    """What an engine lacks: SQL names of built-in functions in lower case, and features."""

    functions: frozenset[str]
    features: frozenset[str]


@cache
def _measured() -> Mapping[str, Lacks]:
    """Return what each target lacks, as the tests have asked the engines (``tests/versions``)."""
    data: dict[str, Any] = json.loads(files(__package__).joinpath("availability.json").read_text("utf-8"))
    return {name: Lacks(frozenset(found["functions"]), frozenset(found["features"])) for name, found in data.items()}


@cache
def targets() -> tuple[Target, ...]:
    """Return all targets, ordered by engine and version."""
    split = [name.partition("-") for name in _measured()]
    return tuple(sorted(Target(engine, EngineVersion.of(version)) for engine, _, version in split))


def first_with(engine: str, lacking: str) -> Target | None:
    """Return the first target of an engine that has a function or feature; None if no target of the engine has it."""
    return next(
        (t for t in targets() if t.engine == engine and not (t.lacks_function(lacking) or t.lacks_feature(lacking))),
        None,
    )


Target.NEWEST = Target("spark", EngineVersion(4, 3))
