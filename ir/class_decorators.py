"""What type checkers read about decorators that make attrs classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**_):
        """Return a decorator without effect, because Python 3.10 lacks the one of ``typing``."""
        return lambda decorator: decorator
