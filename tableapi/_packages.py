"""Whether the packages beside this one are those of this distribution.

``ir``, ``serializer`` and ``grammar`` are common names. A user's own ``ir.py`` in the working directory would be found
first, and fail somewhere deep inside with a message about a missing attribute.
"""

from __future__ import annotations

import importlib.util
import os

_NAMES = ("ir", "serializer", "grammar")


def require_own_packages() -> None:
    """Check that the packages which this one imports lie beside it.

    Raises:
        ImportError: one of them is another module; the message names its file.
    """
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in _NAMES:
        found = importlib.util.find_spec(name)
        if found is None or found.origin is None:
            raise ImportError(
                f"tableapi needs its package {name!r}, which should be in {os.path.join(ours, name)} and is not there."
            )
        origin = os.path.realpath(found.origin)
        if origin != os.path.join(ours, name, "__init__.py"):
            raise ImportError(
                f"tableapi needs its own package {name!r}, but Python finds {origin} under that name. Rename that "
                "file, or start Python where it is not importable.",
                name=name,
                path=origin,
            )
