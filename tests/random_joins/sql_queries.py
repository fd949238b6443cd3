"""Random SQL queries: one SELECT per correlation level, with the join of the case, and the clauses around it."""

from __future__ import annotations

from attrs import frozen

from tests.random_joins.cases import Case, choose_case
from tests.random_joins.choices import Choices
from tests.random_joins.joins import FromWriter
from tests.random_joins.relations import (
    From,
    Relation,
    in_any_case,
    is_number,
    key_reference,
    qualified,
    reference,
    unique,
)
from tests.random_joins.tables import STRUCTS, TEXTS

UNKNOWN = "?"


@frozen
class SqlQuery:
    """A query in SQL, its case, and whether the order of its rows is determined."""

    text: str
    case: Case
    is_ordered: bool = False


@frozen
class Block:
    """The parts of a SELECT, with its column names; UNKNOWN stands for a column with an unknown name."""

    items: str
    names: tuple[str, ...]
    source: From
    where: str
    """The WHERE clause with a leading blank, or an empty string."""

    @property
    def text(self) -> str:
        """The query."""
        return f"SELECT {self.items} FROM {self.source.text}{self.where}"


def write_query(at: Choices) -> SqlQuery:
    """Return a random query."""
    return _QueryWriter(at, choose_case(at)).query()


class _QueryWriter:
    """Writes one query."""

    def __init__(self, at: Choices, case: Case) -> None:
        self.at = at
        self.case = case
        self.naming = case["naming"]
        self.depth = 0 if case["correlation"] == "none" else int(case["depth"])
        self.sources = FromWriter(at, case)
        self.is_ordered = False

    def query(self) -> SqlQuery:
        """Write the query with the clauses around it."""
        around = self.case["around"]
        if around.startswith("pipe"):
            text = self._pipe(around)
        elif around.startswith("with"):
            text = self._with(around)
        else:
            block = self._block(0, [])
            text = getattr(self, "_" + around.replace(" ", "_"))(block)
        return SqlQuery(text, self.case, self.is_ordered)

    # --- one level -----------------------------------------------------------------------------------------------

    def _source(self, level: int, outers: list[From]) -> From:
        """Write FROM: the join on the level that the case chooses, a single relation elsewhere."""
        place = self.case["place"]
        is_outside, is_inside = level == 0, level == self.depth
        has_join = (is_outside and (place != "inside" or not self.depth)) or (is_inside and place != "outside")
        if has_join:
            return self.sources.join(level, outers)
        return self.sources.single(level)

    def _block(self, level: int, outers: list[From], purpose: str = "rows") -> Block:
        """Write a SELECT with its subqueries; ``purpose`` is the use of the SELECT if it is a subquery."""
        with self.at.part(f"level {level}"):
            return self._parts_of_block(level, outers, purpose)

    def _parts_of_block(self, level: int, outers: list[From], purpose: str) -> Block:
        at = self.at
        source = self._source(level, outers)
        conditions = list(source.conditions)
        if outers:
            with at.part("correlation"):
                conditions.append(self._correlation(source, outers))
        elif at.happens(20):
            conditions.append(f"{reference(at, source, self.naming)} {at.one(('>', '<', '<>'))} {at.one((1, 12))}")
        extra = ""
        if level < self.depth:
            kind = self.case["correlation"]
            if level and at.happens(40):
                kind = at.one(("exists", "in", "scalar", "lateral"))
            source, condition, extra = self._correlated(kind, source, level, outers)
            if condition:
                conditions.append(condition)
        if at.happens(15):
            conditions.reverse()
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        items, names = self._items(source, purpose)
        if extra and purpose == "rows":
            items, names = f"{items}, {extra} AS n", (*names, "n")
        elif extra:
            compared = f"{reference(at, source, self.naming)} > {extra}"
            where = f"{where} AND {compared}" if where else f" WHERE {compared}"
        return Block(items, names, source, where)

    def _correlation(self, source: From, outers: list[From]) -> str:
        """Return a condition that compares a column with an outer one, of the next outer query or further out."""
        at = self.at
        outer = outers[-1] if len(outers) == 1 or not at.happens(30) else at.one(outers)
        if at.happens(60):
            relation = at.one(source.relations)
            mine = key_reference(at, relation, self.naming)
            theirs = key_reference(at, at.one(outer.relations), self.naming)
            operator = at.one(("=", "<=>", "<"))
        else:
            mine, theirs = reference(at, source, self.naming), reference(at, outer, self.naming)
            operator = at.one(("=", "<", ">"))
        hidden = [name for name in outer.star if is_number(name) and name not in source.star and name != UNKNOWN]
        if hidden and at.happens(40):
            # Only the outer query has a column with this name.
            theirs = at.one(hidden)
        if at.happens(10):
            theirs = f"{theirs} + {at.one((0, 1))}"
        return f"{mine} {operator} {theirs}"

    def _correlated(self, kind: str, source: From, level: int, outers: list[From]) -> tuple[From, str, str]:
        """Write a subquery of a kind: return FROM, a condition and a value; those that the kind lacks are empty."""
        at, naming = self.at, self.naming
        inside = [*outers, source]
        if kind in ("exists", "not exists"):
            block = self._block(level + 1, inside, "exists")
            return source, f"{'NOT ' if kind == 'not exists' else ''}EXISTS ({self._set_operation(block)})", ""
        if kind in ("in", "not in"):
            block = self._block(level + 1, inside, "one column")
            word = "NOT IN" if kind == "not in" else "IN"
            return source, f"{reference(at, source, naming)} {word} ({self._set_operation(block)})", ""
        if kind == "scalar":
            block = self._block(level + 1, inside, "one value")
            return source, "", f"({block.text})"
        block = self._block(level + 1, inside, at.one(("lateral", "lateral aggregate")))
        name = self.sources.name(3, level) or "t"
        word = "LEFT JOIN LATERAL" if kind == "left lateral" else at.one((", LATERAL", "JOIN LATERAL"))
        on = " ON true" if word != ", LATERAL" and at.happens(50) else ""
        lateral = Relation(name, block.names)
        text = f"{source.text}{'' if word.startswith(',') else ' '}{word} ({self._set_operation(block)}) AS {name}{on}"
        return From(text, (*source.relations, lateral), source.star + block.names, source.conditions), "", ""

    def _set_operation(self, block: Block) -> str:
        """Return the text of a subquery, sometimes as a branch of a set operation, with DISTINCT or sorted."""
        form = self.at.one(("", "distinct", "union", "except", "order")) if self.at.happens(15) else ""
        if form == "distinct":
            return f"SELECT DISTINCT {block.items} FROM {block.source.text}{block.where}"
        if form == "order":
            return f"{block.text} ORDER BY 1"
        if form:
            return f"{block.text} {'UNION ALL' if form == 'union' else 'EXCEPT'} {block.text}"
        return block.text

    # --- SELECT lists --------------------------------------------------------------------------------------------

    def _items(self, source: From, purpose: str) -> tuple[str, tuple[str, ...]]:
        """Return the SELECT items and their names."""
        with self.at.part("items"):
            return self._parts_of_items(source, purpose)

    def _parts_of_items(self, source: From, purpose: str) -> tuple[str, tuple[str, ...]]:
        at, naming = self.at, self.naming
        if purpose == "exists":
            return at.one(("*", "1", reference(at, source, naming))), (UNKNOWN,)
        if purpose == "one column":
            value = reference(at, source, naming)
            return (value if at.happens(70) else f"{value} AS k"), (UNKNOWN,)
        if purpose == "one value":
            function = at.one(("max", "sum", "count"))
            argument = reference(at, source, naming)
            if function == "count" and source.left.name and at.happens(50):
                argument = f"{source.left.name}.*"
            return f"{function}({argument})", (UNKNOWN,)
        if purpose == "lateral aggregate":
            name = at.one(("n", "k"))
            return f"max({reference(at, source, naming)}) AS {name}, count(*) AS c", (name, "c")
        return self._selection(source)

    def _selection(self, source: From) -> tuple[str, tuple[str, ...]]:
        """Return the items that the case asks for."""
        at, naming, kind = self.at, self.naming, self.case["selection"]
        left, right = source.left, source.right
        left_star = f"{in_any_case(at, left.name, naming)}.*" if left.name else "*"
        right_star = f"{in_any_case(at, right.name, naming)}.*" if right.name else "*"
        left_names = left.columns if left.name else source.star
        right_names = right.columns if right.name else source.star
        if kind == "star":
            return "*", source.star
        if kind == "left star":
            return left_star, left_names
        if kind == "right star":
            return right_star, right_names
        if kind == "both stars":
            return f"{right_star}, {left_star}", right_names + left_names
        if kind == "star and columns":
            value = reference(at, source, naming)
            return f"*, {value} AS n", (*source.star, "n")
        if kind.endswith("except"):
            star, names = {
                "star except": ("*", source.star),
                "left star except": (left_star, left_names),
                "right star except": (right_star, right_names),
            }[kind]
            gone = at.one(names or ("k",))
            written = gone
            if at.happens(35) and (left.name or right.name):
                relation = left if gone in left.columns and left.name else right
                written = qualified(at, relation, gone, naming)
            # The generator leaves open whether one or all columns with the name are dropped.
            rest = tuple(name for name in names if name != gone)
            return f"{star} EXCEPT ({written})", rest
        if kind == "struct of star":
            return "struct(*) AS st", (UNKNOWN,)
        if kind == "struct of left star":
            return f"struct({left_star}) AS st, {right_star}", (UNKNOWN, *right_names)
        if kind == "count of star":
            star = at.one(("*", left_star, right_star))
            return f"count({star}) AS n, count(DISTINCT {left_star}) AS m", ("n", "m")
        if kind == "array of star":
            star = at.one((left_star, right_star))
            return f"{at.one(('array', 'concat_ws', 'coalesce'))}({star}) AS st", (UNKNOWN,)
        if kind == "qualified":
            items = [self._column(at.one(source.relations)) for _ in range(at.one((2, 3, 1)))]
        elif kind == "unqualified":
            visible = at.one((unique(source.star) or list(source.star), list(source.star))) or ["k"]
            chosen = [at.one(visible) for _ in range(at.one((2, 3, 1)))]
            items = [(in_any_case(at, name, naming), name) for name in chosen]
        elif kind == "renamed":
            one, other = reference(at, source, naming), reference(at, source, naming)
            items = [(f"{one} AS v", "v"), (f"{other} AS k", "k")]
        else:
            one = reference(at, source, naming)
            items = [(f"{one} + 100 AS {at.one(('k', 'n'))}", "k"), ("k + 1 AS m", "m"), ("m AS v", "v")]
        return ", ".join(text for text, _ in items), tuple(name for _, name in items)

    def _column(self, relation: Relation) -> tuple[str, str]:
        """Return a column of a relation as it is written, and its name."""
        name = self.at.one(relation.columns or ("k",))
        if name == UNKNOWN:
            name = "n"
        return qualified(self.at, relation, name, self.naming), name

    # --- clauses around ------------------------------------------------------------------------------------------

    def _nothing(self, block: Block) -> str:
        return block.text

    def _derived_table(self, block: Block) -> str:
        at = self.at
        name = self.sources.name(0, 0) or "t"
        names = [name for name in unique(block.names) if name != UNKNOWN]
        if not names or at.happens(40):
            return f"SELECT * FROM ({block.text}) AS {name}"
        if at.happens(40) and UNKNOWN not in block.names:
            new = ", ".join(f"c{number}" for number in range(len(block.names)))
            return f"SELECT {name}.c0, * FROM ({block.text}) AS {name}({new})"
        chosen = at.one(names)
        return f"SELECT {name}.{chosen}, {name}.* FROM ({block.text}) AS {name}"

    def _branch(self, names: tuple[str, ...]) -> str:
        """Return a query over one table with values for columns with the given names."""
        at = self.at
        if UNKNOWN in names or not names:
            return ""
        table = at.one(("a", "b_m", "c_l"))
        numbers = {"a": ("k", "v"), "b_m": ("w", "k"), "c_l": ("v", "k")}[table]
        items = [
            "s" if name in TEXTS else "CAST(NULL AS STRUCT<k: INT, v: INT>)" if name in STRUCTS else at.one(numbers)
            for name in names
        ]
        return f"SELECT {', '.join(items)} FROM {table}"

    def _combined(self, block: Block, word: str) -> str:
        at = self.at
        other = self._branch(block.names)
        if not other or at.happens(20):
            other = block.text
        first, second = (other, block.text) if at.happens(30) else (block.text, other)
        text = f"{first} {word} {second}"
        return f"SELECT * FROM ({text})" if at.happens(20) else text

    def _union_all(self, block: Block) -> str:
        return self._combined(block, "UNION ALL")

    def _union(self, block: Block) -> str:
        return self._combined(block, self.at.one(("UNION", "UNION DISTINCT")))

    def _intersect(self, block: Block) -> str:
        return self._combined(block, self.at.one(("INTERSECT", "INTERSECT ALL")))

    def _except(self, block: Block) -> str:
        return self._combined(block, self.at.one(("EXCEPT", "EXCEPT ALL", "MINUS")))

    def _distinct(self, block: Block) -> str:
        return f"SELECT DISTINCT {block.items} FROM {block.source.text}{block.where}"

    def _with(self, around: str) -> str:
        """Write WITH: a step that the query reads; it may hide a table, and a subquery may read it."""
        at = self.at
        step = at.one(("a", "b", "c")) if around.endswith("name") else at.one(("first", "l", "k"))
        if at.happens(40):
            # The step contains the query, and is joined again.
            block = self._block(0, [])
            names = [name for name in unique(block.names) if name != UNKNOWN]
            key = "k" if "k" in names else names[0] if names else "k"
            rest = at.one(
                (
                    f"SELECT * FROM {step}",
                    f"SELECT {step}.*, x.* FROM {step} JOIN {step} AS x USING ({key})",
                    f"SELECT x.* FROM {step} AS x LEFT JOIN b USING ({key})",
                    f"SELECT * FROM {step} x WHERE EXISTS (SELECT * FROM {step} WHERE {step}.{key} = x.{key})",
                )
            )
            return f"WITH {step} AS ({block.text}) {rest}"
        table = at.one(("a", "b_m", "c_l"))
        columns = {"a": ("k", "s", "v"), "b_m": ("w", "k", "s"), "c_l": ("v", "s", "k")}[table]
        self.sources.steps[step] = columns
        inner = f"SELECT * FROM {table} WHERE k > 1" if at.happens(50) else f"SELECT * FROM {table}"
        return f"WITH {step} AS ({inner}) {self._block(0, []).text}"

    def _keys(self, block: Block) -> list[tuple[str, str]]:
        """Return one or two GROUP BY keys, each as it is written and with its name."""
        at = self.at
        found = []
        for _ in range(at.one((1, 2))):
            relation = at.one(block.source.relations)
            names = [name for name in relation.columns if name != UNKNOWN]
            if not names:
                continue
            name = at.one(names)
            found.append((qualified(at, relation, name, self.naming) if at.happens(70) else name, name))
        return found or [("k", "k")]

    def _aggregated(self, block: Block, rest: str = "") -> str:
        """Return an aggregation whose keys are written as names, ordinals or aliases."""
        at, naming = self.at, self.naming
        keys = self._keys(block)
        kind = at.one(("names", "ordinals", "aliases"))
        items = [f"{key} AS g{number}" if kind == "aliases" else key for number, (key, _) in enumerate(keys)]
        by = {
            "names": [key for key, _ in keys],
            "ordinals": [str(number + 1) for number in range(len(keys))],
            "aliases": [f"g{number}" for number in range(len(keys))],
        }[kind]
        aggregates = [f"count(*) AS {at.one(('n', 'k'))}", f"max({reference(at, block.source, naming)}) AS m"]
        if block.source.left.name and at.happens(40):
            star = f"{at.one(block.source.relations).name or block.source.left.name}.*"
            aggregates.append(at.one((f"count({star}) AS c", f"max(struct({star})) AS c")))
        return (
            f"SELECT {', '.join((*items, *aggregates))} FROM {block.source.text}{block.where} "
            f"GROUP BY {', '.join(by)}{rest}"
        )

    def _group_by(self, block: Block) -> str:
        text = self._aggregated(block)
        if self.at.happens(30):
            return (
                f"{text} ORDER BY {self.at.one(('m', '1', 'n', 'ALL', reference(self.at, block.source, self.naming)))}"
            )
        return text

    def _group_by_all(self, block: Block) -> str:
        aggregate = f"{self.at.one(('count(*)', f'max({reference(self.at, block.source, self.naming)})'))} AS g"
        order = " ORDER BY ALL" if self.at.happens(30) else ""
        return f"SELECT {block.items}, {aggregate} FROM {block.source.text}{block.where} GROUP BY ALL{order}"

    def _having(self, block: Block) -> str:
        at = self.at
        value = reference(at, block.source, self.naming)
        condition = at.one(("count(*) > 1", "n > 1", "k > 1", f"max({value}) > 12", f"{value} > 1", "m IS NOT NULL"))
        return self._aggregated(block, f" HAVING {condition}")

    def _window_value(self, block: Block) -> str:
        """Return a window function's value that does not depend on the order of ties."""
        at, naming = self.at, self.naming
        key, order = reference(at, block.source, naming), reference(at, block.source, naming)
        function = at.one(("sum({0})", "rank()", "max({0})", "count(*)"))
        value = function.format(reference(at, block.source, naming))
        return f"{value} OVER (PARTITION BY {key} ORDER BY {order})"

    def _window(self, block: Block) -> str:
        name = self.at.one(("n", "k"))
        items = f"{block.items}, {self._window_value(block)} AS {name}"
        return f"SELECT {items} FROM {block.source.text}{block.where}"

    def _qualify(self, block: Block) -> str:
        at = self.at
        if at.happens(50):
            return f"{block.text} QUALIFY {self._window_value(block)} {at.one(('> 1', '= 1', '> 12'))}"
        items = f"{block.items}, {self._window_value(block)} AS q"
        condition = at.one(("q > 1", "q = 1 AND k > 1"))
        return f"SELECT {items} FROM {block.source.text}{block.where} QUALIFY {condition}"

    def _ordered(self, text: str, block: Block, key: str) -> str:
        """Return a query with an order without ties, sometimes with a LIMIT, whose result depends on the key."""
        rest = ", ".join(str(number + 1) for number in range(len(block.names)))
        self.is_ordered = True
        limit = self.at.one(("", " LIMIT 3", " LIMIT 2 OFFSET 1"))
        return f"{text} ORDER BY {key}, {rest}{limit}"

    def _order_by_name(self, block: Block) -> str:
        at = self.at
        direction = at.one(("", " DESC", " DESC NULLS FIRST"))
        names = [name for name in block.names if name != UNKNOWN]
        written = reference(at, block.source, self.naming)
        key = at.one(names) if names and at.happens(60) else written
        if at.happens(20) and is_number(key.lower()):
            key = f"{key} + 0"
        if at.happens(20):
            other = self._branch(block.names) or block.text
            return self._ordered(f"{block.text} UNION ALL {other}", block, f"{key}{direction}")
        return self._ordered(block.text, block, f"{key}{direction}")

    def _order_by_ordinal(self, block: Block) -> str:
        number = self.at.below(max(len(block.names), 1)) + 1
        return self._ordered(block.text, block, f"{number}{self.at.one(('', ' DESC'))}")

    def _order_by_all(self, block: Block) -> str:
        self.is_ordered = True
        return f"{block.text} ORDER BY ALL{self.at.one(('', ' DESC'))}{self.at.one(('', ' LIMIT 3'))}"

    def _pivot(self, block: Block) -> str:
        """Write PIVOT over the query, or over the relations of its FROM."""
        at = self.at
        if at.happens(50):
            values = [name for name in unique(block.names) if name != UNKNOWN and is_number(name)] or ["k"]
            table, value, key = f"({block.text}) AS t", at.one(values), at.one(values)
        else:
            source = block.source
            table, value, key = source.text, reference(at, source, self.naming), reference(at, source, self.naming)
        labels = at.one(("1, 2", "2 AS x, 1 AS X", "1 AS k, 4", "1, 2 AS `1`"))
        return f"SELECT * FROM {table} PIVOT ({at.one(('max', 'sum'))}({value}) FOR {key} IN ({labels}))"

    def _unpivot(self, block: Block) -> str:
        """Write UNPIVOT over the query, or over the relations of its FROM."""
        at = self.at
        names = [name for name in unique(block.names) if name != UNKNOWN and is_number(name)] or ["k"]
        table, columns = f"({block.text}) AS t", [at.one(names), at.one(names)]
        if at.happens(40):
            table = block.source.text
            columns = [reference(at, block.source, self.naming), reference(at, block.source, self.naming)]
        if at.happens(15):
            columns = [f"{column} AS x" for column in columns]
        nulls = at.one(("", "INCLUDE NULLS "))
        return f"SELECT * FROM {table} UNPIVOT {nulls}(value FOR name IN ({', '.join(columns)}))"

    # --- pipes ---------------------------------------------------------------------------------------------------

    def _pipe(self, around: str) -> str:
        """Write the query in pipe syntax."""
        at, naming = self.at, self.naming
        block = self._block(0, [])
        source = block.source
        start = f"FROM {source.text}"
        if block.where:
            start += f" |> WHERE {block.where.removeprefix(' WHERE ')}"
        aggregates = self.case["selection"] == "count of star"
        select = f" |> {'AGGREGATE' if aggregates else 'SELECT'} {block.items}"
        value = reference(at, source, naming)
        names = [name for name in unique(source.star) if name != UNKNOWN]
        name = at.one(names) if names else "k"
        outputs = [found for found in unique(block.names) if found != UNKNOWN]
        output = at.one(outputs) if outputs else "k"
        if around == "pipe select":
            return f"{start}{select}"
        if around == "pipe extend":
            extended = f"{start} |> EXTEND {value} AS {at.one(('n', 'k'))}"
            return f"{extended}{select}" if at.happens(60) else extended
        if around == "pipe set":
            changed = f"{start} |> SET {name} = {value}"
            return f"{changed}{select}" if at.happens(50) else changed
        if around == "pipe drop":
            dropped = f"{start} |> DROP {name}"
            return f"{dropped}{select}" if at.happens(40) else dropped
        if around == "pipe as":
            chosen = at.one((f"t.{output}", "t.*", output, f"t.*, {output} AS n"))
            return f"{start}{select} |> AS t |> SELECT {chosen}"
        if around == "pipe join":
            kind = at.one(("JOIN", "LEFT JOIN", "FULL JOIN", "SEMI JOIN", "ANTI JOIN", "RIGHT JOIN", "CROSS JOIN"))
            key = name if at.happens(60) else "k"
            condition = at.one((f"USING ({key})", f"ON {value} = x.k", "NATURAL"))
            joined = f"{kind} b_m AS x {condition}"
            if condition == "NATURAL":
                joined = f"NATURAL {kind} b_m AS x"
            last = at.one(("", " |> SELECT x.*", " |> SELECT *, x.k AS n", select))
            return f"{start} |> {joined}{last}"
        if around == "pipe aggregate":
            keys = ", ".join(key for key, _ in self._keys(block))
            text = f"{start} |> AGGREGATE count(*) AS n, max({value}) AS {at.one(('m', 'k'))} GROUP BY {keys}"
            return f"{text} |> WHERE n > 1" if at.happens(30) else text
        if around == "pipe union":
            other = self._branch(block.names) or block.text
            word = at.one(("UNION ALL", "UNION", "EXCEPT", "INTERSECT"))
            return f"{start}{select} |> {word} ({other})"
        self.is_ordered = True
        rest = ", ".join(str(number + 1) for number in range(len(block.names)))
        limit = at.one(("", " |> LIMIT 2"))
        return f"{start}{select} |> ORDER BY {output}, {rest}{limit}"
