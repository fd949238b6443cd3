"""Lists and maps in the state store: small and in chunks, with and without a time to live, against plain ones."""

from __future__ import annotations

import dataclasses
import datetime as dt
import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from tableapi.process_functions import ListView, MapView
from tableapi.spark.runtime.process.large_collections import CHUNK_BYTES, hash_key
from tableapi.spark.runtime.process.plan import Kind, StoredPlan, StoredState
from tableapi.spark.runtime.process.states import expiring
from tableapi.spark.runtime.process.stored_collections import split_chunk_key
from tableapi.spark.runtime.process.stored_values import NotStorable, StoredValues
from tableapi.spark.runtime.row import Row

NUMBERS: Kind = ("array", ("integer",))
TTL = 100


def _plan(*states: StoredState) -> StoredPlan:
    return StoredPlan("s", states, b"12345678", (), 0, True)


ALL = _plan(
    StoredState("list", ("element",), (NUMBERS,), (None,), "list"),
    StoredState("map", ("key", "value"), (("string",), NUMBERS), (None, None), "map"),
    StoredState("timed list", ("element",), (("integer",),), (None,), "list", TTL),
    StoredState("timed map", ("key", "value"), (("integer",), ("string",)), (None, None), "map", TTL),
)
CREATE: list[Any] = [ListView, MapView, ListView, MapView]


def _initial() -> list[Any]:
    return [ListView(), MapView(), expiring(ListView, TTL), expiring(MapView, TTL)]


class Store:
    """A state store in memory with one partition, which counts what is read and written."""

    def __init__(self, plan: StoredPlan, create: Sequence[Any]) -> None:
        self.values = StoredValues(plan, create, self._read)
        self.chunks: dict[bytes, bytes] = {}
        self.state: bytes | None = None
        self.read: list[bytes] = []
        self.written: list[bytes] = []

    def _read(self, keys: Sequence[bytes]) -> list[bytes | None]:
        self.read += keys
        return [self.chunks.get(key) for key in keys]

    def load(self, initial: Any) -> list[Any]:
        self.read, self.written = [], []
        self.values.begin(b"k")
        return list(initial) if self.state is None else self.values.decode(self.state)[0]

    def store(self, states: Sequence[Any]) -> None:
        self.state = self.values.encode(states, None)
        for key, chunk in self.values.changed_chunks.items():
            assert chunk is None or self.chunks.get(key) != chunk
            self.written.append(key)
            if chunk is None:
                self.chunks.pop(key, None)
            else:
                self.chunks[key] = chunk
        assert self.state is not None or not self.chunks


def _change(states: list[Any], command: int, key: int, value: int, now: int, at: int) -> None:
    """Change the states by a command."""
    numbers, lists, timed, texts = states
    timed.begin(now, at)
    texts.begin(now, at)
    match command:
        case 0 | 1 | 2:
            numbers.add([value])
        case 3:
            numbers.add_all([[value], None, [value, value]])
        case 4:
            for element in numbers:
                if element is not None:
                    element.append(1)
                    break
        case 5:
            lists[f"k{key}"] = [value]
        case 6:
            lists.remove(f"k{key}")
        case 7:
            found = lists.get(f"k{key}")
            if found is not None:
                found.append(value)
        case 8:
            timed.add(value)
        case 9:
            texts[key] = str(value)
        case 10:
            texts.remove(key)
        case 11:
            lists[f"x{value}"] = None
            texts[value] = None
            timed.add_all([value, None])
        case 12 if value < 50:
            numbers.clear()
        case 12 if value < 100:
            lists.clear()
            lists["new"] = [1]
        case 12 if value < 120:
            timed.clear()
        case 12 if value < 150:
            states[:2] = [ListView(), MapView()]


def _content(states: Sequence[Any]) -> list[Any]:
    numbers, lists, timed, texts = states
    shown = [list(lists.items()), list(lists), list(lists.values()), list(texts.items()), sorted(texts.times.items())]
    return [list(numbers), numbers.get(), *shown, timed.timed_items()]


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [30, 200, CHUNK_BYTES])
def test_random_changes(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableapi.spark.runtime.process.stored_values._LARGE", 2 * chunk)
    monkeypatch.setattr("tableapi.spark.runtime.process.stored_collections.CHUNK_BYTES", chunk)
    chunks = 0
    for seed in range(60):
        chosen = random.Random(seed)
        store, model, now = Store(ALL, CREATE), _initial(), 0
        for _ in range(chosen.randrange(1, 25)):
            states = store.load(_initial())
            for _ in range(chosen.randrange(6)):
                now += chosen.choice([0, 1, 5, 40])
                # Rows of a stream come out of order.
                at = now - chosen.choice([0, 0, 0, 30])
                command, key, value = chosen.randrange(13), chosen.randrange(12), chosen.randrange(1_000)
                _change(states, command, key, value, now, at)
                _change(model, command, key, value, now, at)
                assert [len(states[0]), len(states[1])] == [len(model[0]), len(model[1])]
            if chosen.random() < 0.7:
                assert _content(states) == _content(model)
            store.store(states)
            chunks = max(chunks, len(store.chunks))
        assert _content(store.load(_initial())) == _content(model)
    assert (chunks > 0) == (chunk < CHUNK_BYTES)


LARGE = _plan(
    StoredState("list", ("element",), (("string",),), (None,), "list"),
    StoredState("map", ("key", "value"), (("integer",), ("string",)), (None, None), "map"),
)


def test_only_what_is_touched_is_read_and_only_what_changed_is_written() -> None:
    store = Store(LARGE, [ListView, MapView])
    numbers, texts = store.load([ListView(), MapView()])
    numbers.add_all(["x" * 1_000] * 300)
    texts.put_all(dict.fromkeys(range(5_000), "y" * 100))
    store.store([numbers, texts])
    assert store.state is not None
    assert len(store.state) < 64 << 10
    names = [split_chunk_key(key)[1] for key in store.chunks]
    assert (names.count("list"), names.count("map")) == (9, 64)
    assert store.values.chunk_bytes > 800_000
    # Adding to the list and counting it reads no chunk, and a key of the map reads one.
    numbers, texts = store.load([])
    numbers.add("z")
    assert (len(numbers), len(texts), store.read) == (301, 5_000, [])
    assert texts[17] == "y" * 100
    texts[17] = "z"
    assert len(store.read) == 1
    store.store([numbers, texts])
    assert [split_chunk_key(key)[1] for key in store.written] == ["map"]
    # What is read and not changed is not written.
    numbers, texts = store.load([])
    assert numbers.get()[-1] == "z"
    assert list(texts) == list(range(5_000))
    assert len(store.read) == 73
    store.store([numbers, texts])
    assert store.written == []
    numbers, texts = store.load([])
    numbers.clear()
    texts.clear()
    assert (store.read, len(numbers), texts.is_empty()) == ([], 0, True)
    store.store([numbers, texts])
    assert (store.state, store.chunks) == (None, {})


@dataclasses.dataclass(frozen=True)
class Place:
    x: int
    name: str | None = None


def test_keys_that_are_equal_have_equal_hashes() -> None:
    zone = dt.timezone(dt.timedelta(hours=2))
    equal: list[tuple[Any, Any]] = [
        (1, Decimal("1.00")),
        (True, 1.0),
        (10**30, Decimal(10) ** 30),
        (dt.datetime(2024, 1, 1, 12, tzinfo=dt.timezone.utc), dt.datetime(2024, 1, 1, 14, tzinfo=zone)),
        (Row(1, "a"), (1, "a")),
        (Place(1), Place(1)),
        ((1, (2.0, None)), (1.0, (2, None))),
        (-0.0, 0),
    ]
    for left, right in equal:
        assert left == right
        assert hash_key(left) == hash_key(right)
    different = ["a", b"a", dt.date(2024, 1, 1), dt.timedelta(1), Place(1), Place(2), 1, 2, ("a",), ("b",)]
    assert len({hash_key(key) for key in different}) > 8
    assert hash_key(float("nan")) == hash_key(None) == hash_key(object()) == 0


@pytest.mark.parametrize(
    ("number", "change", "reason"),
    [
        (0, lambda view: view.add(3), "an element of the state 'list' is 3, which cannot be stored: a str is wanted"),
        (1, lambda view: view.put("a", "b"), "a key of the state 'map' is 'a', which cannot be stored"),
        (1, lambda view: view.put(1, 2), "a value of the state 'map' is 2, which cannot be stored: a str is wanted"),
    ],
)
def test_values_of_another_type(number: int, change: Any, reason: str) -> None:
    store = Store(LARGE, [ListView, MapView])
    states: list[Any] = store.load([ListView(), MapView()])
    change(states[number])
    with pytest.raises(NotStorable, match=reason):
        store.store(states)


def test_small_collections_are_plain() -> None:
    store = Store(LARGE, [ListView, MapView])
    states: list[Any] = store.load([ListView(), MapView()])
    states[0].add_all(["a", None])
    states[1].put(1, None)
    store.store(states)
    assert store.state == b'\x0112345678[[["a",null],[[1,null]]],null]'
