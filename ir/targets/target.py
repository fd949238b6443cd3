"""Targets: the engines, in one version each, that SQL is written for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Set
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, ClassVar

import attrs

from ir.call_expressions import Call
from ir.dialects.call_traits import call_traits
from ir.engine_version import NEWEST_SPARK, SAIL_VERSIONS, SPARK_VERSIONS, EngineVersion
from ir.errors import ValidationException, did_you_mean

_VERSION = re.compile(r"(\d+)(?:\.(\d+))?", re.ASCII)
_NAME = re.compile(r"([a-z]+)-(\d+)\.(\d+)(\.\d+)*", re.ASCII)


@attrs.frozen(repr=False, order=True)
class Target:
    """An engine in one version, for which SQL is written.

    The newest Spark has everything that this library writes. What an older version or another engine lacks is replaced
    by an equivalent, or refused.

    >>> Target.of("spark-4.0")
    Target('spark-4.0')
    >>> Target.of("spark-3.5").lacks_feature("WITH RECURSIVE")
    True
    >>> Target.NEWEST.name
    'spark-4.3'

    Attributes:
        engine: the engine in lower case, ``spark`` or ``sail``.
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
        raise ValidationException(f"{given!r} is no target; accepted are {', '.join(names)}." + _nearest(given, names))

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

    def lacks_call(self, call: Call, *, has_window: bool) -> bool:
        """Whether the engine has no such built-in function, or refuses the arguments or clauses of the call."""
        name = call.function.name
        if name in self._lacks.functions:
            return True
        conditions = self._lacks.refused.get(name)
        if conditions is None:
            return False
        traits = {*call_traits(call.arguments), *_clauses(call, has_window=has_window)}
        return any(traits.issuperset(condition) for condition in conditions)

    def lacks_feature(self, feature: str) -> bool:
        """Whether the engine refuses a clause, type or literal, or gives other rows for it (``ir.targets.clauses``)."""
        return feature in self._lacks.features

    @cached_property
    def _lacks(self) -> Lacks:
        return NOTHING if self.is_newest else _measured(self.engine, str(self.version))

    def __repr__(self) -> str:
        return f"Target({self.name!r})"


def _nearest(given: object, names: list[str]) -> str:
    """Return a hint at the target that was probably meant: the nearest version, or the nearest name."""
    if not isinstance(given, str):
        return ""
    version, engine = _VERSION.search(given), given.partition("-")[0].lower()
    if version is not None and engine in ("spark", "sail", version[0]):
        wanted = int(version[1]), int(version[2] or 0)
        versions, name = (SAIL_VERSIONS, "sail") if engine == "sail" else (SPARK_VERSIONS, "spark")
        older = [known for known in versions if known <= wanted]
        return f" Did you mean '{name}-{older[-1] if older else versions[0]}'?"
    return did_you_mean(given, names)


@attrs.frozen
class Lacks:
    """The features that an engine lacks.

    Attributes:
        functions: the names of built-in functions.
        refused: for functions that it has, the traits of the calls that it refuses: all those of one set.
        features: the names of probes that it refuses or answers otherwise.
    """

    functions: Set[str]
    refused: Mapping[str, Collection[Collection[str]]]
    features: Set[str]


# Answers to a probe that differ only in the types of columns, which a query declares itself where it matters.
_SAME_ROWS = ("other types", "other nullability")
# Calls whose type a query cannot declare itself.
_OF_CALLS = frozenset({"seconds of a TIME of few digits", "REVERSE of BINARY", "date plus NULL"})
NOTHING = Lacks(frozenset(), {}, frozenset())
STATEFUL_CALL = "process table function with state over a stream"
"""What older engines lack whatever their SQL has: workers of this library keep this state with the newest Spark."""
# Spark 4.1 resolves WATERMARK in sessions without Hive support only, and those are asked for the file.
_WITH_HIVE = {"spark-4.1": frozenset({"WATERMARK"})}


def _clauses(call: Call, *, has_window: bool) -> set[str]:
    """Return the traits of the clauses of a call."""
    found = {
        "DISTINCT": call.distinct,
        "FILTER": call.filter is not None,
        "IGNORE NULLS": call.ignore_nulls,
        "RESPECT NULLS": call.respect_nulls,
        "OVER": has_window,
    }
    return {trait for trait, is_present in found.items() if is_present}


@cache
def _measured(engine: str, version: str) -> Lacks:
    """Return the features that an engine lacks, as measured by ``tests/versions``."""
    text = files("ir.dialects").joinpath(engine).joinpath(f"{version}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    features = {n for n, answer in found["syntax"].items() if answer not in _SAME_ROWS or n in _OF_CALLS}
    features |= {STATEFUL_CALL, *[f"type: {family}" for family in found["types"]]}
    features |= _WITH_HIVE.get(f"{engine}-{version}", frozenset())
    return Lacks(frozenset(found["functions"]), found["refused"], frozenset(features))


@cache
def targets() -> tuple[Target, ...]:
    """Return all targets: those of each engine together, the oldest version first."""
    return (
        *[Target("spark", version) for version in SPARK_VERSIONS],
        *[Target("sail", version) for version in SAIL_VERSIONS],
    )


def first_with(engine: str, has: Callable[[Target], bool]) -> Target | None:
    """Return the first version of an engine that has something; None if no version has it."""
    return next((target for target in targets() if target.engine == engine and has(target)), None)


Target.NEWEST = Target("spark", NEWEST_SPARK)
