"""Load the extension of IPython: the magic and the completion of column names.

``%load_ext tableapi`` calls ``load_ipython_extension`` of the package. The shell is passed in, so that this library
needs no IPython.
"""

from __future__ import annotations

from typing import Any

from tableapi.notebook.completion import Completion
from tableapi.notebook.magic import NAME, Magic

# The completion of each shell, under the name of an attribute of the shell, so that it can be taken away again.
_COMPLETION = "_tableapi_completion"


def load(shell: Any) -> None:
    """Give a shell of IPython the magic and the completion; a second call changes nothing."""
    shell.register_magic_function(Magic(shell).function(), magic_kind="line_cell", magic_name=NAME)
    if getattr(shell, _COMPLETION, None) is None:
        matcher = Completion(shell.user_ns).matcher()
        shell.Completer.custom_matchers.append(matcher)
        setattr(shell, _COMPLETION, matcher)


def unload(shell: Any) -> None:
    """Take the magic and the completion from a shell of IPython."""
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop(NAME, None)
    matcher = getattr(shell, _COMPLETION, None)
    if matcher is not None:
        shell.Completer.custom_matchers.remove(matcher)
        setattr(shell, _COMPLETION, None)
