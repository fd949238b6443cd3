"""Find the valid name that a misspelt name most likely means, by edit distance."""

from __future__ import annotations

from collections.abc import Iterable

# One edit is allowed for so many letters, so that a short name has no remote suggestions.
_LETTERS_PER_EDIT = 3
_MOST_EDITS = 3
_SHORTEST_PART = 3


def nearest_name(given: str, valid: Iterable[str], *, is_typo: bool = False) -> str | None:
    """Return the valid name nearest to ``given``, None if none is near.

    Case and underscores are ignored. An edit inserts, removes or replaces a letter, or swaps two neighbours; one edit
    is allowed for every three letters, and three at most. If no name is so near, the nearest one is a name of which
    ``given`` is a prefix, a prefix of ``given``, a name of the same words, or a name that ``given`` abbreviates. For a
    name of one or two letters, only a name with one letter more or less at the end is near.

    Args:
        given: the misspelt name.
        valid: the names that it can mean, the likeliest first.
        is_typo: whether only a single edit is allowed, and no other similarity counts.

    >>> nearest_name("customerId", ["customer_id", "id"]), nearest_name("dsc", ["sec", "asc", "desc"])
    ('customer_id', 'desc')
    >>> nearest_name("count", ["amount"]), nearest_name("columns", ["add_columns"])
    (None, None)
    >>> nearest_name("upper", ["upper_case"]), nearest_name("amt", ["status", "amount"])
    ('upper_case', 'amount')
    """
    plain = _normalize(given)
    names = {_normalize(name): name for name in reversed(list(valid))}
    most = min(len(plain) // _LETTERS_PER_EDIT, 1 if is_typo else _MOST_EDITS)
    letters = sorted(plain)
    near = [
        (edits, sorted(name) != letters, not _is_part(plain, name), name[:1] != plain[:1], name)
        for name in names
        if (edits := _count_edits(plain, name, most)) is not None
    ]
    if near:
        return names[min(near)[-1]]
    if is_typo:
        return None
    if len(plain) < _SHORTEST_PART:
        return next((names[n] for n in names if n and abs(len(n) - len(plain)) == 1 and _begins(n, plain)), None)
    words = sorted(given.lower().split("_"))
    for is_meant in (
        lambda name: name.startswith(plain),
        lambda name: len(name) >= _SHORTEST_PART and plain.startswith(name) and 2 * len(name) >= len(plain),
        lambda name: len(words) > 1 and sorted(names[name].lower().split("_")) == words,
        lambda name: _abbreviates(plain, name) and (name[0], name[-1]) == (plain[0], plain[-1]),
    ):
        found = min((name for name in names if is_meant(name)), key=lambda name: (len(name), name), default=None)
        if found is not None:
            return names[found]
    return None


def _normalize(name: str) -> str:
    return name.lower().replace("_", "")


def _begins(first: str, second: str) -> bool:
    return first.startswith(second) or second.startswith(first)


def _is_part(first: str, second: str) -> bool:
    return _abbreviates(first, second) or _abbreviates(second, first)


def _abbreviates(short: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in short)


def _count_edits(first: str, second: str, most: int) -> int | None:
    """Return the number of edits between two words, None where it exceeds ``most``."""
    if first == second:
        return 0
    if abs(len(first) - len(second)) > most:
        return None
    before: list[int] = []
    above = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        row = [i]
        for j, other in enumerate(second, 1):
            edits = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                edits = min(edits, before[j - 2] + 1)
            row.append(edits)
        # Two rows are tested, because a swap reads the row before the previous one.
        if min(row) > most and min(above) > most:
            return None
        before, above = above, row
    return above[-1] if above[-1] <= most else None
