"""Find the columns that a function reads from its rows: converting the others to Python is the largest cost."""

from __future__ import annotations

import dis
from collections.abc import Callable
from types import CodeType, MethodType
from typing import Any

# A function can use these to reach a parameter without naming it.
_SEES_ALL = frozenset({"locals", "vars", "eval", "exec", "_getframe", "currentframe", "stack"})


def columns_read(method: Callable[..., Any], position: int) -> frozenset[str] | None:
    """Return the attributes that a method reads from a parameter, or None if it may use the parameter otherwise.

    The result is a set if each use of the parameter in the bytecode is ``row.name`` or a test for None. A row that is
    passed on, stored, iterated or indexed as ``row["name"]`` is needed as a whole.

    Args:
        method: the method.
        position: the position of the parameter, without ``self``.
    """
    if not isinstance(method, MethodType):
        return None
    code = getattr(method.__func__, "__code__", None)
    if not isinstance(code, CodeType) or position + 1 >= code.co_argcount:
        return None
    name = code.co_varnames[position + 1]
    if name in code.co_cellvars or not _SEES_ALL.isdisjoint(code.co_names):
        return None
    read: set[str] = set()
    is_loaded = is_compared = False
    for instruction in dis.get_instructions(code):
        if is_compared:
            if instruction.opname != "IS_OP":
                return None
            is_compared = False
            continue
        if is_loaded:
            is_loaded = False
            if instruction.opname.startswith("POP_JUMP") and instruction.opname.endswith(("IF_NONE", "IF_NOT_NONE")):
                continue
            if instruction.opname == "LOAD_CONST" and instruction.argval is None:
                is_compared = True
                continue
            # A method call loads the attribute in another form, and may read the whole row.
            if instruction.opname != "LOAD_ATTR" or instruction.argrepr.startswith(("NULL|self", "NULL + ")):
                return None
            read.add(instruction.argval)
            continue
        uses = instruction.argval == name or (isinstance(instruction.argval, tuple) and name in instruction.argval)
        if uses and "FAST" in instruction.opname:
            if instruction.opname not in _LOADS or instruction.argval != name:
                return None
            is_loaded = True
    return frozenset(read)


_LOADS = frozenset({"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW"})
