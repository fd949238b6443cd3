"""Writes ``ir/init_shapes.py``: run ``python -m tests.ir.init_shapes`` after a change of such a class."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from ir.light_classes import write_init

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = ROOT / "ir" / "init_shapes.py"
_TABLE = (
    "from tableapi import TableEnvironment\n"
    "te = TableEnvironment.create()\n"
    "table = te.from_elements([(1, 'a')], ['n', 's'])\n"
    "table = table.filter(table.n > 1).select((table.n + 1).alias('m'))\n"
    "table.as_serializable_string()\n"
    "table.as_serializable_string(layout='MERGED')\n"
    "table = te.declare('orders', {'id': 'INT', 'price': 'DOUBLE'})\n"
    "table.group_by(table.id).select(table.id, table.price.sum).as_serializable_string()\n"
    "te.sql_query('SELECT n + 1 AS m FROM VALUES (1, 2) AS t(n, s) WHERE n > 1 ORDER BY m')\n"
)
# A class whose __init__ was needed has a function in the place of the descriptor.
_SHAPES = """
import sys
from types import FunctionType
from ir.light_classes import shape_of
packages = ('ir', 'serializer', 'grammar', 'tableapi')
modules = [m for name, m in list(sys.modules.items()) if name.partition('.')[0] in packages]
classes = {c for m in modules for c in vars(m).values() if isinstance(c, type) and '__light_fields__' in vars(c)}
print(*sorted({shape_of(c) for c in classes if isinstance(vars(c)['__init__'], FunctionType)}))
"""
_HEADER = '''"""The ``__init__`` of the shapes that a first text needs, which Python compiles once for all processes.

``ir.light_classes`` puts the names of a class in the place of the numbers, and the slots, defaults and validators
into the globals. Written by ``python -m tests.ir.init_shapes``.
"""

# ruff: noqa
# fmt: off
# mypy: ignore-errors

'''


def write_shapes() -> str:
    """Return the text of the module, from the classes that a new process has instances of."""
    done = subprocess.run(
        [sys.executable, "-c", _TABLE + _SHAPES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return _HEADER + "\n\n".join(write_init(shape) for shape in done.stdout.split())


if __name__ == "__main__":
    FILE.write_text(write_shapes(), encoding="utf-8")
