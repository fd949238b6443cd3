"""Encode the lists and maps of a partition for the state store of a stream.

A small collection is a part of the value of its partition: ``[element, …]``, or ``[[key, value], …]``. A large list
is ``{"rest": […], "chunks": [first, count, …]}``: its first elements are in chunks with consecutive numbers. A large
map is ``{"buckets": …, "count": …, "next": …, "size": …}``: its entries ``[key, value, number]`` are in as many chunks.
With a time to live, ``"timed": true`` is added; elements are ``[time, element]``, and entries end with their time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tableapi.spark.runtime.process.declarations import ListView, MapView
from tableapi.spark.runtime.process.large_collections import CHUNK_BYTES, BucketedMap, ChunkedList
from tableapi.spark.runtime.process.states import ExpiringList, ExpiringMap

CHUNK_MARK = b"\xfe"
"""The first byte of the key of a chunk in the state store. No partition key begins with it."""
Convert = Callable[[Any], Any]
_dump = json.JSONEncoder(separators=(",", ":")).encode
_TIMED = {"timed": True}


def chunk_key(partition: bytes, label: str, number: int) -> bytes:
    """Return the key of a chunk of a state in the state store."""
    return CHUNK_MARK + len(partition).to_bytes(4, "big") + partition + number.to_bytes(4, "big") + label.encode()


def split_chunk_key(key: bytes) -> tuple[bytes, str, int]:
    """Return the partition key, the name of the state, and the number of a chunk.

    >>> split_chunk_key(chunk_key(b"k", "seen", 3))
    (b'k', 'seen', 3)
    """
    end = 5 + int.from_bytes(key[1:5], "big")
    return key[5:end], key[end + 4 :].decode(), int.from_bytes(key[end : end + 4], "big")


class PartitionChunks:
    """The chunks of a partition: those that were read, and changes.

    Args:
        key: the key of the partition.
        read: returns the values of keys of the state store.

    Attributes:
        changes: the changed chunks by their keys in the state store; None deletes one.
    """

    def __init__(self, key: bytes, read: Callable[[Sequence[bytes]], list[bytes | None]]) -> None:
        self._key = key
        self._read = read
        self._known: dict[bytes, bytes | None] = {}
        self.changes: dict[bytes, bytes | None] = {}

    def read(self, label: str, numbers: Iterable[int]) -> list[list[Any]]:
        """Return the contents of chunks."""
        keys = [chunk_key(self._key, label, number) for number in numbers]
        found = self._read(keys)
        self._known.update(zip(keys, found, strict=True))
        return [[] if text is None else json.loads(text) for text in found]

    def size(self, label: str, number: int) -> int:
        """Return the bytes of a chunk that was read; 0 for another one."""
        return len(self._known.get(chunk_key(self._key, label, number)) or b"")

    def write(self, label: str, number: int, texts: Sequence[str]) -> int:
        """Write the elements of a chunk, and return their bytes; without elements, delete it."""
        key = chunk_key(self._key, label, number)
        text = f"[{','.join(texts)}]".encode() if texts else None
        if key in self._known and self._known[key] == text:
            self.changes.pop(key, None)
        else:
            self.changes[key] = text
        return len(text or b"")


class StoredListView(ListView[Any]):
    """A list that was read from the state store, of which a part may be in chunks."""

    def __init__(self, content: ChunkedList) -> None:
        super().__init__()
        self.content = content
        # The methods of a list are those that ListView calls.
        self._values: Any = content


class StoredMapView(MapView[Any, Any]):
    """A map that was read from the state store, whose entries are in buckets."""

    def __init__(self, content: BucketedMap) -> None:
        super().__init__()
        self.content = content
        self._values: Any = content


class StoredList:
    """The encoding of one ListView. It remembers how the list of the current partition was read.

    Attributes:
        chunk_bytes: about how many bytes the chunks of the list have that was encoded last.

    Args:
        label: the name of the state.
        encode: converts an element to a value of JSON.
        decode: the inverse.
        is_mutable: whether elements can be changed in place.
        ttl: the time to live in microseconds; None for none.
    """

    def __init__(self, label: str, encode: Convert, decode: Convert, is_mutable: bool, ttl: int | None) -> None:
        self._label = label
        self._encode, self._decode = encode, decode
        self._is_mutable = is_mutable
        self._ttl = ttl
        self.begin()

    def begin(self) -> None:
        """Begin with a partition that has nothing stored."""
        self._first = self.chunk_bytes = 0
        self._counts: list[int] = []
        self._view: Any = None

    def decode(self, form: Any, chunks: PartitionChunks) -> Any:
        """Return the list of a partition from its stored form."""
        rest = form
        if isinstance(form, dict):
            rest = form["rest"]
            self._first, *self._counts = form.get("chunks", [0])
        first, counts, decode = self._first, self._counts, self._decode
        if self._ttl is None:

            def read() -> list[Any]:
                parts = chunks.read(self._label, range(first, first + len(counts)))
                return [decode(element) for part in parts for element in part]

            made = [decode(element) for element in rest]
            self._view = StoredListView(ChunkedList(counts, made, read)) if counts else ListView(made)
            return self._view
        timed = [item for part in self._read_all(chunks) for item in part] + rest
        self._view = ExpiringList([decode(e) for _, e in timed], [time for time, _ in timed], self._ttl)
        return self._view

    def _read_all(self, chunks: PartitionChunks) -> list[list[Any]]:
        numbers = range(self._first, self._first + len(self._counts))
        return chunks.read(self._label, numbers) if self._counts else []

    def encode(self, view: Any, chunks: PartitionChunks) -> Any:
        """Return the stored form of a list, and write the chunks that changed."""
        encode = self._encode
        first, counts = self._first, list(self._counts)
        if self._ttl is not None:
            items = [[time, encode(element)] for time, element in view.timed_items()]
            first, counts = self._find_kept_chunks(view)
            rest = self._write_kept(first, counts, items, chunks, is_changed=True)
        elif view is self._view and counts and view.content.counts:
            content = view.content
            if content.is_read:
                rest = self._write_kept(first, counts, content.rest, chunks, is_changed=self._is_mutable)
            else:
                rest = content.rest
            rest = [encode(element) for element in rest]
        else:
            first, counts = 0, []
            rest = [encode(element) for element in view]
        kept = range(first, first + len(counts))
        for number in range(self._first, self._first + len(self._counts)):
            if number not in kept:
                chunks.write(self._label, number, ())
        return self._form(first, counts, rest)

    def _find_kept_chunks(self, view: ExpiringList) -> tuple[int, list[int]]:
        """Return the number of the first chunk of which elements are left, and how many are left of each."""
        counts, removed = list(self._counts), view.removed
        if view is not self._view or removed is None:
            return 0, []
        first = self._first
        while counts and removed >= counts[0]:
            removed -= counts.pop(0)
            first += 1
        if counts:
            counts[0] -= removed
        return first, counts

    def _write_kept(
        self, first: int, counts: list[int], elements: list[Any], chunks: PartitionChunks, *, is_changed: bool
    ) -> list[Any]:
        """Write the chunks whose elements may have changed, and return the elements after them."""
        at = 0
        for number, count in enumerate(counts, first):
            if is_changed:
                part = elements[at : at + count]
                encoded = part if self._ttl is not None else [self._encode(element) for element in part]
                chunks.write(self._label, number, [_dump(element) for element in encoded])
            at += count
        return elements[at:]

    def split(self, form: Any, _view: Any, chunks: PartitionChunks) -> Any:
        """Move elements of a large list into new chunks, and return its new form."""
        rest = form["rest"] if isinstance(form, dict) else form
        first, *counts = form.get("chunks", [0]) if isinstance(form, dict) else [0]
        texts = [_dump(element) for element in rest]
        left = sum(map(len, texts))
        start = size = 0
        moved = 0
        for position, text in enumerate(texts):
            if left <= CHUNK_BYTES and not size:
                break
            size += len(text)
            left -= len(text)
            if size >= CHUNK_BYTES:
                chunks.write(self._label, first + len(counts), texts[start : position + 1])
                counts.append(position + 1 - start)
                start, size = position + 1, 0
                moved = start
        return self._form(first, counts, rest[moved:])

    def _form(self, first: int, counts: list[int], rest: list[Any]) -> Any:
        self.chunk_bytes = len(counts) * CHUNK_BYTES
        if not counts and self._ttl is None:
            return rest
        timed = _TIMED if self._ttl is not None else {}
        return {**timed, "rest": rest, "chunks": [first, *counts]} if counts else {**timed, "rest": rest}


class StoredMap:
    """The encoding of one MapView. It remembers how the map of the current partition was read.

    Attributes:
        chunk_bytes: how many bytes the buckets of the map have that was encoded last.

    Args:
        label: the name of the state.
        encode: converts a key and a value to a pair of values of JSON.
        decode: the inverse.
        ttl: the time to live in microseconds; None for none.
    """

    def __init__(
        self,
        label: str,
        encode: Callable[[Any, Any], list[Any]],
        decode: Callable[[Any, Any], tuple[Any, Any]],
        ttl: int | None,
    ) -> None:
        self._label = label
        self._encode, self._decode = encode, decode
        self._ttl = ttl
        self.begin()

    def begin(self) -> None:
        """Begin with a partition that has nothing stored."""
        self._buckets = self._size = self.chunk_bytes = 0
        self._view: Any = None

    def decode(self, form: Any, chunks: PartitionChunks) -> Any:
        """Return the map of a partition from its stored form."""
        times: dict[Any, int] = {}
        content: Any = {}
        if isinstance(form, dict) and "buckets" in form:
            self._buckets, self._size = form["buckets"], form["size"]

            def read(numbers: Sequence[int]) -> list[dict[Any, list[Any]]]:
                return [self._bucket(part, times) for part in chunks.read(self._label, numbers)]

            content = BucketedMap(self._buckets, form["count"], form["next"], read)
        else:
            for key, value, *time in form["rest"] if isinstance(form, dict) else form:
                key, value = self._decode(key, value)
                content[key] = value
                if time:
                    times[key] = time[0]
        if self._ttl is not None:
            if self._buckets:
                content.load_all()
            self._view = ExpiringMap(content, times, self._ttl)
        else:
            self._view = StoredMapView(content) if self._buckets else MapView(content)
        return self._view

    def _bucket(self, part: Iterable[list[Any]], times: dict[Any, int]) -> dict[Any, list[Any]]:
        found = {}
        for key, value, number, *time in part:
            key, value = self._decode(key, value)
            found[key] = [value, number]
            if time:
                times[key] = time[0]
        return found

    def encode(self, view: Any, chunks: PartitionChunks) -> Any:
        """Return the stored form of a map, and write the buckets that changed."""
        content = getattr(view, "content", None)
        if not isinstance(content, BucketedMap):
            self._delete(0, chunks)
            return self._inline([(key, value) for key, value in view.items()], view)
        is_new = content.is_new or view is not self._view
        if is_new:
            self._delete(content.buckets, chunks)
        size = 0 if is_new else self._size
        size += self._write_loaded(content, view, chunks, of_new=is_new)
        if size > CHUNK_BYTES * content.buckets:
            content.spread(_choose_buckets(size))
            size = self._write_loaded(content, view, chunks, of_new=True)
        elif size < CHUNK_BYTES // 2 or not content.count:
            entries = content.items()
            self._delete(0, chunks)
            for number in range(content.buckets):
                chunks.write(self._label, number, ())
            return self._inline(entries, view)
        return self._form(content, size)

    def _write_loaded(self, content: BucketedMap, view: Any, chunks: PartitionChunks, *, of_new: bool) -> int:
        """Write the buckets that were read, and return by how much the size of the map has changed."""
        change = 0
        times = self._times(view)
        for number, bucket in content.loaded.items():
            texts = []
            for key, (value, place) in bucket.items():
                entry = [*self._encode(key, value), place]
                texts.append(_dump(entry if times is None else [*entry, times[key]]))
            before = 0 if of_new else chunks.size(self._label, number)
            change += chunks.write(self._label, number, texts) - before
        return change

    def _delete(self, kept: int, chunks: PartitionChunks) -> None:
        """Delete the buckets that were stored, but for the first ones."""
        for number in range(kept, self._buckets):
            chunks.write(self._label, number, ())

    def _times(self, view: Any) -> Mapping[Any, int] | None:
        return None if self._ttl is None else view.times

    def _inline(self, entries: Iterable[tuple[Any, Any]], view: Any) -> Any:
        self.chunk_bytes = 0
        times = self._times(view)
        if times is None:
            return [self._encode(key, value) for key, value in entries]
        return {**_TIMED, "rest": [[*self._encode(key, value), times[key]] for key, value in entries]}

    def split(self, form: Any, view: Any, chunks: PartitionChunks) -> Any:
        """Move the entries of a large map into buckets, and return its new form."""
        if isinstance(form, dict) and "buckets" in form:
            return form
        size = len(_dump(form))
        if size <= CHUNK_BYTES:
            return form
        content = BucketedMap(1, 0, 0, lambda numbers: [{} for _ in numbers])
        content.update(view.items())
        content.spread(_choose_buckets(size))
        size = self._write_loaded(content, view, chunks, of_new=True)
        return self._form(content, size)

    def _form(self, content: BucketedMap, size: int) -> Any:
        timed = _TIMED if self._ttl is not None else {}
        self.chunk_bytes = size
        numbers = {"count": content.count, "next": content.following, "size": size}
        return {**timed, "buckets": content.buckets, **numbers}


def _choose_buckets(size: int) -> int:
    """Return a power of two of buckets, each of which is half full on average."""
    buckets = 1
    while size > buckets * CHUNK_BYTES // 2:
        buckets *= 2
    return buckets
