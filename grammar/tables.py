"""Builds the parsing tables from the grammar file with lark, and caches them.

lark reads and checks the grammar and computes the LALR(1) automaton. That takes more than a second, so the tables are
kept in a file: beside the grammar if that directory is writable, as in a checkout or while a wheel is built, else in
the user's cache. The file contains the grammar's text and is rebuilt when the text changes. The rows of the tables are
bytes, which ``Rows`` decodes one by one, because a text reaches few of them. ``parser.py`` runs the tables;
docs/decisions/0010 explains why it does not use lark's loop.
"""

from __future__ import annotations

import marshal
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ir import light_attrs as attrs
from ir.light_tuples import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

# Paths are strings here, because pathlib takes longer to load than the tables.
_HERE = os.path.dirname(os.path.abspath(__file__))
GRAMMAR = os.path.join(_HERE, "sql.lark")
STARTS = ("sql", "only_expression", "only_type", "only_columns", "stored")
END = "$END"
# Incremented when the form of the tables changes.
_FORMAT = 5
# The versions of the marshal format, which every supported Python can read: of the file, and of a row. The first keeps
# shared objects, and the second writes equal rows as equal bytes.
_MARSHAL_VERSION = 4
_VERSION_OF_ROWS = 2

_T = TypeVar("_T")


class Reduction(NamedTuple):
    """What the parser does when a grammar rule is complete.

    ``callback`` names the action that builds a node from the symbols in ``kept``. Without a callback, the value is the
    single kept symbol, or the list of kept symbols if the rule is a repetition or its name begins with ``_``.
    """

    origin: int
    size: int
    callback: str | None
    kept: tuple[int | None, ...]
    is_list: bool
    rule: str


class Rows(Generic[_T]):
    """The rows of a table by number, each decoded when it is first read.

    Args:
        encoded: the rows.
        decode: decodes a row.

    Attributes:
        decoded: The rows that were read, and None for the others. A loop reads this list and calls ``load`` for None,
            because that takes less time than ``rows[number]``.
    """

    __slots__ = ("_decode", "_encoded", "decoded")

    def __init__(self, encoded: Sequence[bytes], decode: Callable[[bytes], _T]) -> None:
        self._encoded = encoded
        self._decode = decode
        self.decoded: list[_T | None] = [None] * len(encoded)

    def __getitem__(self, number: int) -> _T:
        row = self.decoded[number]
        return self.load(number) if row is None else row

    def load(self, number: int) -> _T:
        """Decode a row."""
        row = self.decoded[number] = self._decode(self._encoded[number])
        return row


@attrs.frozen(repr=False)
class Tables:
    """The LALR automaton: for each state, the action for each terminal and the next state for each rule.

    An action of at least 0 is the next state after a shift; an action ``-n - 1`` is the n-th reduction. The rows are
    encoded: ``decode_row`` reads those of ``actions`` and ``gotos``, ``decode_reduction`` those of ``reductions``.
    """

    terminals: tuple[str, ...]
    keywords: dict[str, int]
    operators: dict[str, int]
    patterns: tuple[tuple[str, str], ...]
    ignored: tuple[str, ...]
    actions: tuple[bytes, ...]
    gotos: tuple[bytes, ...]
    reductions: tuple[bytes, ...]
    starts: dict[str, int]
    ends: dict[str, int]


def decode_row(encoded: bytes) -> dict[int, int]:
    """Return the actions or next states of a state from their bytes."""
    row: dict[int, int] = marshal.loads(encoded)
    return row


def decode_reduction(encoded: bytes) -> Reduction:
    """Return a reduction from its bytes."""
    return Reduction._make(marshal.loads(encoded))


def _key() -> bytes:
    """Return the key of valid tables: the grammar's text itself, because comparing it takes less time than a digest."""
    with open(GRAMMAR, "rb") as file:
        return b"%d %b" % (_FORMAT, file.read())


def _places() -> Iterator[str | Path]:
    """Yield the possible files of the tables: beside the grammar, or in the user's cache."""
    yield os.path.join(_HERE, "sql.tables")
    from platformdirs import user_cache_dir

    yield os.path.join(user_cache_dir("tableapi", appauthor=False), "sql.tables")


@cache
def tables() -> Tables:
    """Return the tables of the grammar, from a valid file if one exists."""
    key = _key()
    for place in _places():
        found = _load(place, key)
        if found is not None:
            return found
    made = build_tables()
    for place in _places():
        if store(place, made):
            break
    return made


def _load(place: str | Path, key: bytes) -> Tables | None:
    """Load the tables from a file; return None if the file is missing, damaged or for another grammar."""
    try:
        with open(place, "rb") as file:
            content = marshal.loads(file.read())
        if content["key"] != key:
            return None
        return Tables(**content["tables"])
    except (OSError, ValueError, LookupError, TypeError, EOFError):
        return None


def store(place: str | Path, made: Tables) -> bool:
    """Write the tables to a file atomically, and return whether the file is writable.

    Reading the marshal format takes a tenth of the time of JSON. A pickle in the user's cache could execute foreign
    code.
    """
    import tempfile

    content = {"key": _key(), "tables": {field.name: getattr(made, field.name) for field in attrs.fields(Tables)}}
    try:
        folder = os.path.dirname(place)
        os.makedirs(folder, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".sql.tables")
        with os.fdopen(descriptor, "wb") as file:
            # The format marks objects that something else refers to. In the copy, that is the tables alone, so that
            # two runs write the same bytes.
            copied = marshal.loads(marshal.dumps(content, _MARSHAL_VERSION))
            file.write(marshal.dumps(copied, _MARSHAL_VERSION))
        # A temporary file is private, but this one is for all users of the installation.
        os.chmod(name, 0o644)
        os.replace(name, place)
    except OSError:
        return False
    return True


def build_tables() -> Tables:
    """Compute the tables of the grammar file with lark."""
    # lark is imported only here, because a process with cached tables does not need it.
    from lark import Lark
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    with open(GRAMMAR, encoding="utf-8") as file:
        grammar = file.read()
    lark = Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        maybe_placeholders=True,
    )
    parser: Any = lark.parser
    table = parser.parser._parse_table
    terminals = [terminal.name for terminal in lark.terminals]
    terminals.append(END)
    number = {name: position for position, name in enumerate(terminals)}
    keywords: dict[str, int] = {}
    operators: dict[str, int] = {}
    patterns: list[tuple[int, str, str]] = []
    for terminal in lark.terminals:
        if isinstance(terminal.pattern, PatternStr):
            text = terminal.pattern.value
            words = keywords if text[0].isalpha() else operators
            words[text.upper()] = number[terminal.name]
        elif terminal.name not in lark.ignore_tokens:
            patterns.append((-terminal.priority, terminal.name, _expression(terminal.pattern)))
    ignored = tuple([_expression(t.pattern) for t in lark.terminals if t.name in lark.ignore_tokens])
    rules: dict[Any, int] = {}
    origins: dict[str, int] = {}
    for rule in lark.rules:
        rules[rule] = len(rules)
        origins.setdefault(rule.origin.name, len(origins))
    actions: list[bytes] = []
    gotos: list[bytes] = []
    # Many states have equal rows, which are shared.
    shared: dict[bytes, bytes] = {}
    states = _number_states(table)
    for state in states:
        shifts: dict[int, int] = {}
        nexts: dict[int, int] = {}
        for symbol, (action, argument) in sorted(table.states[state].items()):
            if action is not Shift:
                shifts[number[symbol]] = -rules[argument] - 1
            elif symbol in number:
                shifts[number[symbol]] = states[argument]
            else:
                nexts[origins[symbol]] = states[argument]
        for rows, row in ((actions, shifts), (gotos, nexts)):
            encoded = marshal.dumps(dict(sorted(row.items())), _VERSION_OF_ROWS)
            rows.append(shared.setdefault(encoded, encoded))
    return Tables(
        tuple(terminals),
        keywords,
        operators,
        tuple([(name, pattern) for _, name, pattern in sorted(patterns)]),
        ignored,
        tuple(actions),
        tuple(gotos),
        tuple([marshal.dumps(tuple(_reduction(rule, origins)), _VERSION_OF_ROWS) for rule in lark.rules]),
        {start: states[table.start_states[start]] for start in STARTS},
        {start: states[table.end_states[start]] for start in STARTS},
    )


def _expression(pattern: Any) -> str:
    """Return a pattern with its flags in alphabetical order; lark's order depends on hashes."""
    flags = "".join(sorted(pattern.flags))
    return f"(?{flags}:{pattern.value})" if flags else str(pattern.value)


def _number_states(table: Any) -> dict[int, int]:
    """Number the states in the order in which they are reached, because lark's own numbers differ between runs."""
    numbers: dict[int, int] = {}
    waiting = deque(table.start_states[start] for start in STARTS)
    while waiting:
        state = waiting.popleft()
        if state not in numbers:
            numbers[state] = len(numbers)
            following = sorted(table.states[state].items())
            waiting.extend(argument for _, (_, argument) in following if isinstance(argument, int))
    return numbers


def _reduction(rule: Any, origins: dict[str, int]) -> Reduction:
    """Return the reduction that corresponds to lark's tree builder for a rule."""
    options, expansion = rule.options, rule.expansion
    missing = [0] * (len(expansion) + 1)
    if options.empty_indices:
        missing = [len(ones) for ones in "".join(str(int(e)) for e in options.empty_indices).split("0")]
    kept: list[int | None] = []
    for position, symbol in enumerate(expansion):
        kept += [None] * missing[position]
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            inlined = not symbol.is_term and symbol.name.startswith("_")
            kept.append(-position - 1 if inlined else position)
    kept += [None] * missing[len(expansion)]
    is_list = rule.origin.name.startswith("_")
    passed = options.expand1 and not rule.alias and len(kept) == 1 and kept[0] is not None and kept[0] >= 0
    callback = None if is_list or passed else str(rule.alias or rule.origin.name)
    shown = f"{rule.origin.name}: {' '.join(s.name for s in expansion)}"
    return Reduction(origins[rule.origin.name], len(expansion), callback, tuple(kept), is_list, shown)
