"""The module of shapes has the ``__init__`` of the classes that a first text needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ir import init_shapes, light_classes
from ir.light_classes import shape_of, write_init
from tests.ir.init_shapes import FILE, ROOT, write_shapes


def test_the_module_is_written_from_the_classes_of_today() -> None:
    assert FILE.read_text(encoding="utf-8") == write_shapes(), "run python -m tests.ir.init_shapes"


def test_a_first_text_compiles_no_init() -> None:
    program = (
        "from ir import light_classes\n"
        "def refuse(shape): raise AssertionError(shape)\n"
        "light_classes.write_init = refuse\n"
        "from tableapi import TableEnvironment\n"
        "te = TableEnvironment.create()\n"
        "print(te.sql_query('SELECT n FROM VALUES (1, 2) AS t(n, s)').as_serializable_string())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SELECT")


def test_a_shape_is_all_but_the_names() -> None:
    def double(value: int) -> int:
        return 2 * value

    @light_classes.define
    class Account:
        owner: str
        limit: int = light_classes.field(default=10, converter=double, kw_only=True)
        entries: list[int] = light_classes.field(factory=list)
        total: int = light_classes.field(
            default=light_classes.Factory(lambda self: self.limit, takes_self=True), init=False
        )
        bank: str = light_classes.field(default="x", init=False)

        def __attrs_post_init__(self) -> None:
            self.bank = self.bank.upper()

    shape = shape_of(Account)
    assert shape == "open_a_kc_am_s_d_post"
    assert not hasattr(init_shapes, shape)
    assert write_init(shape) == (
        "def open_a_kc_am_s_d_post(self, a0, a2, *, a1):\n"
        "    self.f0 = a0\n"
        "    self.f1 = c1(a1)\n"
        "    if a2 is NOTHING: a2 = m2()\n"
        "    self.f2 = a2\n"
        "    self.f3 = m3(self)\n"
        "    self.f4 = d4\n"
        "    self.__attrs_post_init__()\n"
    )
    made = Account("Ann", limit=4)
    assert (made.limit, made.entries, made.total, made.bank) == (8, [], 8, "X")


@pytest.mark.parametrize("shape", [name for name in vars(init_shapes) if name.partition("_")[0] in ("frozen", "open")])
def test_a_written_shape_is_one_function(shape: str) -> None:
    assert write_init(shape) in FILE.read_text(encoding="utf-8")
