"""Lists and maps of a state that are stored in chunks, which are read when a function touches them.

A small collection is stored with the other states of its partition. A large one moves most of its content into chunks:
a list the elements in order, a map its entries by a hash of their keys. Only chunks that changed are written.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import zlib
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from numbers import Number
from operator import itemgetter
from typing import Any

from tableapi.spark.runtime.row import Row

CHUNK_BYTES = 32 << 10
"""The bytes after which a chunk of a list ends, and the most bytes that the buckets of a map have on average."""
_MICROSECOND = dt.timedelta(microseconds=1)
_EPOCH = dt.datetime(1970, 1, 1)
_EPOCH_IN_UTC = _EPOCH.replace(tzinfo=dt.timezone.utc)
_order: Callable[[list[Any]], Any] = itemgetter(1)


class ChunkedList:
    """The elements of a list, of which the first ones are in chunks.

    Args:
        counts: the number of elements of each chunk.
        rest: the elements after those in chunks.
        read: reads the elements in chunks.

    Attributes:
        counts: the number of elements of each chunk; empty after ``clear``.
        is_read: whether the elements in chunks have been read.
        rest: the elements after those in chunks, or all elements once the chunks have been read.
    """

    __slots__ = ("_read", "counts", "is_read", "rest")

    def __init__(self, counts: Sequence[int], rest: list[Any], read: Callable[[], list[Any]]) -> None:
        self.counts = list(counts)
        self.rest = rest
        self.is_read = False
        self._read = read

    def all(self) -> list[Any]:
        """Return all elements, and read those in chunks."""
        if not self.is_read:
            self.rest[:0] = self._read()
            self.is_read = True
        return self.rest

    def append(self, value: Any) -> None:
        """Append an element."""
        self.rest.append(value)

    def extend(self, values: Iterable[Any]) -> None:
        """Append elements."""
        self.rest.extend(values)

    def clear(self) -> None:
        """Remove all elements."""
        self.counts, self.is_read = [], True
        self.rest.clear()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.all())

    def __len__(self) -> int:
        return len(self.rest) + (0 if self.is_read else sum(self.counts))

    def __repr__(self) -> str:
        return repr(self.all())


class BucketedMap(MutableMapping[Any, Any]):
    """The entries of a map in buckets, by a hash of their keys; iteration is in the order of insertion.

    Args:
        buckets: the number of buckets.
        count: the number of entries.
        following: the number that the next entry gets, which tells the order of insertion.
        read: reads buckets: a dict of ``[value, number]`` by key for each.

    Attributes:
        buckets, count, following: as above.
        loaded: the buckets that have been read.
        is_new: whether the map was cleared, so that no stored bucket belongs to it.
    """

    def __init__(
        self, buckets: int, count: int, following: int, read: Callable[[Sequence[int]], list[dict[Any, list[Any]]]]
    ) -> None:
        self.buckets = buckets
        self.count = count
        self.following = following
        self.loaded: dict[int, dict[Any, list[Any]]] = {}
        self.is_new = False
        self._read = read

    def bucket_of(self, key: Any) -> dict[Any, list[Any]]:
        """Return the bucket of a key."""
        number = hash_key(key) % self.buckets
        if number not in self.loaded:
            (self.loaded[number],) = self._read([number])
        return self.loaded[number]

    def load_all(self) -> None:
        """Read all buckets."""
        missing = [number for number in range(self.buckets) if number not in self.loaded]
        for number, bucket in zip(missing, self._read(missing) if missing else [], strict=True):
            self.loaded[number] = bucket

    def entries(self) -> list[tuple[Any, list[Any]]]:
        """Return all keys with ``[value, number]``, in the order of insertion."""
        self.load_all()
        found = [entry for bucket in self.loaded.values() for entry in bucket.items()]
        return sorted(found, key=lambda entry: _order(entry[1]))

    def spread(self, buckets: int) -> None:
        """Spread all entries over another number of buckets."""
        found = self.entries()
        self.buckets = buckets
        self.loaded = {number: {} for number in range(buckets)}
        for key, entry in found:
            self.loaded[hash_key(key) % buckets][key] = entry

    def clear(self) -> None:
        self.buckets, self.count, self.following = 1, 0, 0
        self.loaded = {0: {}}
        self.is_new = True

    def __getitem__(self, key: Any) -> Any:
        return self.bucket_of(key)[key][0]

    def __setitem__(self, key: Any, value: Any) -> None:
        bucket = self.bucket_of(key)
        entry = bucket.get(key)
        if entry is not None:
            entry[0] = value
            return
        bucket[key] = [value, self.following]
        self.following += 1
        self.count += 1

    def __delitem__(self, key: Any) -> None:
        del self.bucket_of(key)[key]
        self.count -= 1

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in self.entries()])

    def items(self) -> Any:
        """Return the pairs of keys and values."""
        return [(key, entry[0]) for key, entry in self.entries()]

    def values(self) -> Any:
        """Return the values."""
        return [entry[0] for _, entry in self.entries()]

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return repr(dict(self.items()))


def hash_key(key: Any) -> int:
    """Return a hash of a key of a map that is the same in all processes; keys that are equal have equal hashes.

    >>> hash_key(1) == hash_key(1.0), hash_key("a") == hash_key("b")
    (True, False)
    """
    if isinstance(key, str):
        return zlib.crc32(str.encode(key, "utf-8", "surrogatepass"))
    if isinstance(key, (bytes, bytearray)):
        return zlib.crc32(key)
    if isinstance(key, dt.datetime):
        since = key - (_EPOCH if key.utcoffset() is None else _EPOCH_IN_UTC)
        return since // _MICROSECOND & 0xFFFFFFFF
    if isinstance(key, dt.date):
        return key.toordinal()
    if isinstance(key, dt.timedelta):
        return key // _MICROSECOND & 0xFFFFFFFF
    if dataclasses.is_dataclass(key):
        return _hash_parts([getattr(key, field.name) for field in dataclasses.fields(key) if field.compare])
    if isinstance(key, (tuple, Row)):
        return _hash_parts(key)
    # The hash of a number does not depend on the process, but that of a NaN does.
    return hash(key) & 0xFFFFFFFF if isinstance(key, Number) and key == key else 0


def _hash_parts(parts: Iterable[Any]) -> int:
    found = 17
    for part in parts:
        found = (found * 31 + hash_key(part)) & 0xFFFFFFFF
    return found
