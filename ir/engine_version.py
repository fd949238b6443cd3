"""Versions of engines, ordered, without the number of the bug fix release."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.late_patterns import late_pattern
from ir.light_tuples import NamedTuple

_NUMBERS = late_pattern(r"(?a)(\d+)\.(\d+)(?![0-9])")


class EngineVersion(NamedTuple):
    """A version of an engine.

    >>> EngineVersion.of("4.0.2-amzn-1")
    EngineVersion(major=4, minor=0)
    >>> EngineVersion(3, 5) < EngineVersion(4, 0)
    True
    >>> str(EngineVersion(4, 0))
    '4.0'
    """

    major: int
    minor: int

    @classmethod
    def of(cls, text: str) -> EngineVersion:
        """Return the version that a text begins with.

        Raises:
            ValidationException: the text does not begin with a version.
        """
        found = _NUMBERS.match(text)
        if found is None:
            raise ValidationException(f"{text!r} is no version; a version begins with two numbers, as 4.0 or 4.0.2.")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


SPARK_VERSIONS = (
    EngineVersion(3, 5),
    EngineVersion(4, 0),
    EngineVersion(4, 1),
    EngineVersion(4, 2),
    EngineVersion(4, 3),
)
"""The versions of Spark that queries are written for and run on, the oldest first."""

NEWEST_SPARK = SPARK_VERSIONS[-1]

SAIL_VERSIONS = (EngineVersion(0, 7),)
"""The versions of Sail, an engine that understands Spark SQL, that queries are written for and run on."""
