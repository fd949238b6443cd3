"""Whether the program is typed in by a person: at a prompt of Python or IPython, or in a notebook."""

from __future__ import annotations

import sys


def is_interactive() -> bool:
    """Return whether this process reads the program from a prompt or a notebook.

    Python sets ``sys.ps1`` at its prompt, and IPython does in all its programs, also in the kernel of a notebook.
    """
    return hasattr(sys, "ps1")
