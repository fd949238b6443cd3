"""Equal nodes are one object, even across threads, and even if an equal node has just died."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest

from ir import nodes
from ir.expressions import FieldReference
from ir.types import INT


@pytest.fixture
def switching() -> Iterator[None]:
    """Make threads switch as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _made(name: str) -> FieldReference:
    return FieldReference(name, INT, 0, 0)


def test_unreferenced_nodes_are_dropped() -> None:
    key = FieldReference, ("left", INT, 0, 0)
    made = _made("left")
    assert key in nodes._living
    del made
    gc.collect()
    assert key not in nodes._living


def test_a_new_node_takes_the_place_of_a_dead_one() -> None:
    key = FieldReference, ("dead", INT, 0, 0)
    # The state while a node dies: its removal callback has not run yet.
    dying = _made("dead")
    entry = nodes._Living(dying)
    entry.key = key
    nodes._living[key] = entry
    del dying
    gc.collect()
    assert entry() is None
    nodes._living[key] = entry
    made = _made("dead")
    assert _made("dead") is made
    # The removal callback of the dead node comes late, and keeps the new node in its place.
    nodes._forget(entry)
    assert _made("dead") is made


def test_concurrent_threads_get_one_node() -> None:
    key = FieldReference, ("twice", INT, 0, 0)
    mine = _made("twice")
    other = object.__new__(FieldReference)
    entry = nodes._Living(other)
    entry.key = key
    assert nodes._intern_again(entry, other) is mine


@pytest.mark.usefixtures("switching")
def test_threads_that_make_and_drop_the_same_nodes() -> None:
    wrong: list[FieldReference] = []

    def work(seed: int) -> None:
        kept: list[FieldReference] = []
        for number in range(4000):
            name = f"of_a_thread_{(number * seed) % 20}"
            first, second = _made(name), _made(name)
            if first is not second:
                wrong.append(first)
            kept.append(first)
            if number % 7 == seed:
                kept.clear()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    gc.collect()
    assert not [key for key in nodes._living if key[0] is FieldReference and str(key[1][0]).startswith("of_a_thread_")]


def test_the_table_keeps_no_node_alive() -> None:
    made = weakref.ref(_made("weak"))
    gc.collect()
    assert made() is None
