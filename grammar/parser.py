"""Runs the grammar's LALR tables over a text, with a contextual lexer in the same loop.

lark's own loop makes an object for each token, compiles a scanner for each state, and hashes the rule at every
reduction. Here the lexer is one regular expression, and the row of the automaton's state decides whether a word is a
keyword or a name. Both stacks are lists, so that nesting needs no recursion. Each token and each reduction has a
constant cost, so that time is linear in the text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from grammar.errors import Misread, SyntaxProblem
from grammar.lexemes import Lexeme, Token
from grammar.tables import END, Reduction, Rows, Tables, decode_reduction, decode_row, tables
from grammar.words import find_rows_after_condition, read_with_names
from ir.late_patterns import late_pattern
from ir.light_tuples import NamedTuple

_STRINGS = ("SPARK_STRING", "FLINK_STRING")
# A sign is part of an interval if an amount and a unit follow.
_SIGNS = frozenset("+-")
_BEGIN_OF_AMOUNTS = frozenset("0123456789.'\"")
_UNITS = frozenset(
    unit + ending
    for unit in ("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND")
    for ending in ("", "S")
)
_BRACKET = late_pattern(r"/\*|\*/")


class States:
    """A stack of parser states with cheap forks, which share the lower part."""

    __slots__ = ("_below", "_height", "_own")

    def __init__(self, below: list[int], height: int | None = None, own: tuple[int, ...] = ()) -> None:
        self._below = below
        self._height = len(below) if height is None else height
        self._own = list(own)

    @property
    def top(self) -> int:
        """The current state."""
        return self._own[-1] if self._own else self._below[self._height - 1]

    def push(self, state: int) -> None:
        """Push a state."""
        self._own.append(state)

    def drop(self, count: int) -> None:
        """Pop some states."""
        own = min(count, len(self._own))
        if own:
            del self._own[-own:]
        self._height -= count - own

    def fork(self) -> States:
        """Return an independent copy of the stack."""
        return States(self._below, self._height, tuple(self._own))

    def settle(self) -> States:
        """Return the same stack with all states in the shared part, so that forks cost nothing."""
        return States([*self._below[: self._height], *self._own])


class Words(NamedTuple):
    """The lexical rules of a dialect: which lexemes are words, strings and signs.

    Attributes:
        strings: The terminal of its string literals.
        pipe_steps: The words before which an unquoted | begins a pipe step, like |>.
        signed_intervals: Whether the sign before an amount and a unit is part of an interval.
        identifier_clause: Whether IDENTIFIER ('a') stands for the name in the string.
    """

    strings: str
    pipe_steps: frozenset[str] = frozenset()
    signed_intervals: bool = False
    identifier_clause: bool = False


# What a reduction does with the values of its symbols; ``Parser.read`` implements each kind.
_PASS, CALL, _CALL_SOME, _CALL_ANY, _LIST, _EXTEND = range(6)
Rule = tuple[int, int, int, Any, Any]


class Parser:
    """Parses texts of one dialect; the actions build the result.

    ``actions`` has a method for each rule and alias of the grammar that builds a node.

    Attributes:
        tables: The parse tables.
        match: Matches the blanks and the token at a position of a text; the number of the group says which kind of
            token it is.
        sign_group: The number of the group of signs. Unknown characters have a greater one, other tokens a smaller one.
    """

    def __init__(self, words: Words, actions: object) -> None:
        made = tables()
        self._pipe_steps, self._signed_intervals = words.pipe_steps, words.signed_intervals
        self.tables: Tables = made
        self._number = {name: position for position, name in enumerate(made.terminals)}
        self._actions = actions
        self._shifts, self._gotos = Rows(made.actions, decode_row), Rows(made.gotos, decode_row)
        self._rules = Rows(made.reductions, lambda encoded: self.make_rule(decode_reduction(encoded)))
        groups = [(name, pattern) for name, pattern in made.patterns if name == words.strings or name not in _STRINGS]
        signs = sorted([*made.operators, "/*"], key=len, reverse=True)
        blank = "|".join(made.ignored)
        named = [*[pattern for _, pattern in groups], "|".join(map(re.escape, signs)), "(?s:.)"]
        self.match = re.compile(f"(?:{blank})*(?:" + "|".join(f"({p})" for p in named) + ")?").match
        # For each group number: its terminal, or a class of tokens that the loop inspects further.
        self._kinds = [0, *[self._number[name] for name, _ in groups]]
        self._name_group = 1 + [name for name, _ in groups].index("NAME")
        self.sign_group = len(groups) + 1

    def parse(self, text: str, start: str) -> Any:
        """Parse a text with the rule ``start``, and return the result of the actions.

        A word that may be a keyword is a keyword, unless the text only parses with the word as a name.

        Raises:
            SyntaxProblem: the text does not match the rule.
        """
        try:
            return self.read(text, start)
        except SyntaxProblem as problem:
            return read_with_names(self, text, start, problem)
        except Misread:
            rows = find_rows_after_condition(self, text)
            if not rows:
                raise
            return self.read(text, start, rows)

    def read(self, text: str, start: str, chosen: Mapping[int, str] | None = None) -> Any:
        """Parse a text with keywords read as keywords, except for the words in ``chosen``.

        The keys of ``chosen`` are positions.

        Raises:
            SyntaxProblem: the text does not match the rule in this reading.
        """
        made = self.tables
        match, rules, actions, gotos = self.match, self._rules.decoded, self._shifts.decoded, self._gotos.decoded
        keywords, operators, kinds = made.keywords, made.operators, self._kinds
        name_group, sign_group = self._name_group, self.sign_group
        name, end, interval_sign = self._number["NAME"], self._number[END], self._number["INTERVAL_SIGN"]
        final = made.ends[start]
        states = [made.starts[start]]
        values: list[Any] = []
        row = self._shifts[states[-1]]
        position = 0
        while True:
            found = match(text, position)
            assert found is not None, "the pattern matches the empty text"
            group = found.lastindex
            if group == name_group:
                word = found[group]
                terminal = keywords.get(word if word.isupper() else word.upper(), name)
                if terminal not in row:
                    terminal = name
                if chosen and found.start(group) in chosen:
                    terminal = self._number[chosen[found.start(group)]]
                position = found.end()
            elif group == sign_group:
                word = found[group]
                if word == "/*" or (word == "/*+" and operators[word] not in row):
                    position = skip_comment(text, found.start(group), states)
                    continue
                terminal = operators[word]
                if chosen and found.start(group) in chosen:
                    terminal = self._number[chosen[found.start(group)]]
                position = found.end()
                if word == "|" and self._begins_step(text, position):
                    terminal = operators["|>"]
                elif word in _SIGNS and interval_sign in row and self._is_part_of_interval(text, position):
                    terminal = interval_sign
            elif group is None:
                word, terminal, position = "", end, len(text)
            else:
                word, position = found[group], found.end()
                if group > sign_group:
                    raise SyntaxProblem(found.start(group), word, "", states)
                terminal = kinds[group]
            while True:
                action = row.get(terminal)
                if action is None:
                    if group == sign_group and word[:-1] in operators:
                        # The brackets that close nested types look like a shift operator.
                        word, position = word[:-1], position - 1
                        terminal = operators[word]
                        continue
                    if group == name_group and terminal != name and name in row:
                        # A row has more keywords than can follow: some only complete a rule that is also used
                        # elsewhere.
                        terminal = name
                        continue
                    raise SyntaxProblem(position - len(word), word, made.terminals[terminal], states)
                if action >= 0:
                    states.append(action)
                    values.append(Token(word, position - len(word)))
                    row = actions[action] or self._shifts.load(action)
                    break
                origin, size, kind, callback, kept = rules[-action - 1] or self._rules.load(-action - 1)
                if kind == _PASS:
                    if size > 1:
                        values[-size:] = [values[kept - size]]
                        del states[-size:]
                    else:
                        states.pop()
                else:
                    taken = values[-size:]
                    if kind == CALL:
                        value = callback(*taken)
                    elif kind == _CALL_SOME:
                        value = callback(*[None if i is None else taken[i] for i in kept])
                    elif kind == _EXTEND:
                        value = taken[0]
                        for i in kept:
                            if i < 0:
                                value.extend(taken[-i - 1])
                            else:
                                value.append(taken[i])
                    else:
                        value = _choose(taken, kept)
                        if kind == _CALL_ANY:
                            value = callback(*value)
                    values[-size:] = [value]
                    del states[-size:]
                state = (gotos[states[-1]] or self._gotos.load(states[-1]))[origin]
                states.append(state)
                if terminal == end and state == final:
                    return values[-1]
                row = actions[state] or self._shifts.load(state)

    def _begins_step(self, text: str, position: int) -> bool:
        """Whether a | at this position begins a pipe step, because a step's word follows."""
        name = self._name_group
        following = next(self._following(text, position), None)
        return following is not None and following.lastindex == name and self._is_step(following[name])

    def _is_step(self, word: str) -> bool:
        return word.upper() in self._pipe_steps

    def _is_part_of_interval(self, text: str, position: int) -> bool:
        """Whether a number and a unit follow, so that the sign before them is part of an interval."""
        if not self._signed_intervals:
            return False
        found = [match[match.lastindex or 0] for match in itertools.islice(self._following(text, position), 2)]
        return len(found) == 2 and found[0][:1] in _BEGIN_OF_AMOUNTS and found[1].upper() in _UNITS

    def _following(self, text: str, position: int) -> Iterator[re.Match[str]]:
        """Yield the tokens after a position, without comments."""
        while True:
            found = self.match(text, position)
            assert found is not None, "the pattern matches the empty text"
            if found.lastindex is None:
                return
            position = found.end()
            if found[found.lastindex] == "/*":
                position = skip_comment(text, found.start(found.lastindex), [])
            else:
                yield found

    def make_rule(self, reduction: Reduction) -> Rule:
        """Return a reduction in the form that the loop executes fastest."""
        kept, size = reduction.kept, reduction.size
        if reduction.callback is not None:
            callback: Callable[..., Any] = getattr(self._actions, reduction.callback)
            if kept == tuple(range(size)):
                return reduction.origin, size, CALL, callback, None
            if all(i is None or i >= 0 for i in kept):
                return reduction.origin, size, _CALL_SOME, callback, kept
            return reduction.origin, size, _CALL_ANY, callback, kept
        if not reduction.is_list:
            return reduction.origin, size, _PASS, None, kept[0]
        if reduction.rule.split(": ")[1].split(" ")[0] == reduction.rule.split(":")[0]:
            # The rule continues a repetition, whose list grows in place.
            return reduction.origin, size, _EXTEND, None, kept[1:]
        return reduction.origin, size, _LIST, None, kept

    # --- for error messages
    # ----------------------------------------------------------------------------------------------

    def lexemes(self, text: str, until: int, more: int) -> list[Lexeme]:
        """Return the lexemes up to a position, and ``more`` after it; an unknown lexeme ends the list."""
        found: list[Lexeme] = []
        position = 0
        while more:
            more -= position > until
            match = self.match(text, position)
            assert match is not None, "the pattern matches the empty text"
            group = match.lastindex
            if group is None:
                found.append(Lexeme("", len(text), (self._number[END],)))
                break
            word, start = match[group], match.start(group)
            position = match.end()
            if group == self._name_group:
                if found and found[-1].text == "|" and self._is_step(word):
                    found[-1] = found[-1]._replace(terminals=(self.tables.operators["|>"],))
                found.append(self.word(word, start))
            elif group > self.sign_group:
                found.append(Lexeme(word, start, ()))
                break
            elif group < self.sign_group:
                found.append(Lexeme(word, start, (self._kinds[group],)))
            elif word == "/*" or (word == "/*+" and not (found and found[-1].upper == "SELECT")):
                try:
                    position = skip_comment(text, start, [])
                except SyntaxProblem:
                    found.append(Lexeme(word, start, ()))
                    break
            else:
                found.append(self.sign(word, start))
        return found

    def word(self, text: str, position: int = -1) -> Lexeme:
        """Return a word as a keyword, if it is one, or a name."""
        name, keyword = self._number["NAME"], self.tables.keywords.get(text.upper())
        return Lexeme(text, position, (name,) if keyword is None else (keyword, name))

    def reinterpret(self, terminal: str, lexeme: Lexeme) -> Lexeme:
        """Reinterpret a lexeme as another terminal."""
        return lexeme._replace(terminals=(self._number[terminal],))

    def sign(self, text: str, position: int = -1) -> Lexeme:
        """Return a sign as a lexeme."""
        return Lexeme(text, position, (self.tables.operators[text],))

    def quoted(self, text: str, position: int = -1) -> Lexeme:
        """Return a name in back-quotes as a lexeme."""
        return Lexeme(f"`{text}`", position, (self._number["QUOTED"],))

    def begin(self, start: str) -> States:
        """Return the states at the start of a text."""
        return States([self.tables.starts[start]])

    def step(self, states: States, lexeme: Lexeme, *, as_keyword: bool = False) -> bool:
        """Consume one lexeme, and return whether it fits. With ``as_keyword`` a keyword may not be read as a name."""
        made = self.tables
        row = self._shifts[states.top]
        fitting = [t for t in (lexeme.terminals[:1] if as_keyword else lexeme.terminals) if t in row]
        if not fitting:
            # The brackets that close nested types look like a shift operator.
            closing = len(lexeme.text) > 1 and not lexeme.text.strip(">")
            return closing and all(self.step(states, self.sign(">")) for _ in lexeme.text)
        terminal = fitting[0]
        while True:
            action = self._shifts[states.top].get(terminal)
            if action is None:
                return False
            if action >= 0:
                states.push(action)
                return True
            origin, size, *_ = self._rules[-action - 1]
            states.drop(size)
            following = self._gotos[states.top].get(origin)
            if following is None:
                return False
            states.push(following)
            if terminal == self._number[END] and following in made.ends.values():
                return True

    def expected(self, states: States) -> set[str]:
        """Return the terminals that may follow.

        A state's row lists too many: some only lead to a reduction after which they do not fit.
        """
        made = self.tables
        row = self._shifts[states.top]
        return {made.terminals[t] for t in row if self.step(states.fork(), Lexeme("", -1, (t,)))}

    def positions_of(self, text: str, terminal: str) -> list[int]:
        """Return the positions of a sign in a text, outside strings, quoted names and comments."""
        sign = self.texts()[terminal]
        return [token.position for token in self.words(text) if token.text == sign]

    def words(self, text: str) -> Iterator[Token]:
        """Yield the tokens of a text without its comments, whether or not they match the grammar."""
        position = 0
        while position < len(text):
            match = self.match(text, position)
            assert match is not None, "the pattern matches the empty text"
            group = match.lastindex
            if group is None:
                break
            position = match.end()
            if match[group] == "/*":
                try:
                    position = skip_comment(text, match.start(group), [])
                except SyntaxProblem:
                    break
            else:
                yield Token(match[group], match.start(group))

    def texts(self) -> dict[str, str]:
        """Return the written form of each keyword and sign by its terminal."""
        made = self.tables
        written = {**made.keywords, **made.operators}
        return {made.terminals[number]: text for text, number in written.items()}

    def keywords(self) -> list[str]:
        """Return all keywords."""
        return list(self.tables.keywords)


def _choose(values: list[Any], kept: tuple[int | None, ...]) -> list[Any]:
    chosen: list[Any] = []
    for i in kept:
        if i is None:
            chosen.append(None)
        elif i < 0:
            chosen.extend(values[-i - 1])
        else:
            chosen.append(values[i])
    return chosen


def skip_comment(text: str, start: int, states: list[int]) -> int:
    """Return the position after a bracketed comment, which may contain further comments."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "/*" else -1
        if depth == 0:
            return bracket.end()
    raise SyntaxProblem(start, "/*", "COMMENT", states)
