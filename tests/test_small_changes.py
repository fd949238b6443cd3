"""A small change of a long query changes little of its text in the layout MERGED, at every place.

The limits follow from how the text is built. An operation belongs to one SELECT, together with its neighbours if one
SELECT can express them. A new operation between two others affects their SELECTs, which are two at most. At most three
replace them: the preceding part, the change, and the following part. All other SELECTs stay the same, except for the
names of the steps that they read, and for lines with a new or renamed column. A filter adds a condition, and at most
ends one SELECT and begins another: ten lines at most. If the last SELECT becomes a step, its lines only move to the
right, which does not count as a change.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable

import attrs
import pytest

from ir.rendering import Layout
from tableapi import Expression, Table
from tableapi.expressions import col, exists, explode, lit, rank, row_number, scalar
from tableapi.window import Over, OverWindow, Tumble
from tests.cases import every
from tests.programs.tables import Tables, environment_without_spark

T = Tables(environment_without_spark())


@attrs.define
class Query:
    """A table that is built step by step, with the current names of columns that a change has renamed."""

    table: Table
    names: dict[str, str] = attrs.Factory(dict)

    def __getattr__(self, name: str) -> Expression:
        return col(self.named(name))

    def named(self, name: str) -> str:
        """Return the current name of a column."""
        return self.names.get(name, name)


Step = Callable[[Query], Table]


@attrs.frozen
class Chain:
    """A query of ten steps, and its grouping: the number of that step, and the same step with an additional key."""

    start: Table
    steps: tuple[Step, ...]
    grouping: tuple[int, Step]


def _window(partition: Expression, order: Expression) -> OverWindow:
    return Over.partition_by(partition).order_by(order).alias("w")


def _ten_minutes(q: Query) -> Tumble:
    return Tumble.over(lit(10).minutes).on(q.ts).alias("w")


CHAINS = {
    "sales": Chain(
        T.orders,
        (
            lambda q: q.table.filter(q.amount.is_not_null),
            lambda q: q.table.add_columns((q.amount * 2).alias("twice")),
            lambda q: q.table.join(T.customers.select(col("id"), col("name"), col("city")), q.customer_id == col("id")),
            lambda q: q.table.filter(q.city != "Rome"),
            lambda q: q.table.group_by(q.city, q.name).select(
                q.city, q.name, q.amount.sum.alias("amount"), q.order_id.max.alias("order_id")
            ),
            lambda q: q.table.filter(q.amount > 5),
            lambda q: q.table.add_columns(row_number().over(_window(q.city, q.amount)).alias("rank")),
            lambda q: q.table.filter(q.rank < 4),
            lambda q: q.table.order_by(q.city, q.rank),
            lambda q: q.table.limit(100),
        ),
        (
            4,
            lambda q: q.table.group_by(q.city, q.name, q.status).select(
                q.city, q.name, q.status, q.amount.sum.alias("amount"), q.order_id.max.alias("order_id")
            ),
        ),
    ),
    "cleaning": Chain(
        T.orders,
        (
            lambda q: q.table.select(q.order_id, q.customer_id, q.amount, q.status),
            lambda q: q.table.distinct(),
            lambda q: q.table.add_or_replace_columns(q.amount.if_null(0).alias(q.named("amount"))),
            lambda q: q.table.filter(q.status.is_not_null),
            lambda q: q.table.left_outer_join(
                T.lines.select(col("line_order"), col("quantity")), q.order_id == col("line_order")
            ),
            lambda q: q.table.drop_columns(q.line_order),
            lambda q: q.table.union_all(q.table.filter(q.quantity > 1)),
            lambda q: q.table.group_by(q.status).select(q.status, q.amount.sum.alias("value")),
            lambda q: q.table.order_by(q.value.desc),
            lambda q: q.table.limit(10),
        ),
        (
            7,
            lambda q: q.table.group_by(q.status, q.quantity).select(q.status, q.quantity, q.amount.sum.alias("value")),
        ),
    ),
    "limits": Chain(
        T.orders,
        (
            lambda q: q.table.order_by(q.amount.desc),
            lambda q: q.table.limit(1000),
            lambda q: q.table.distinct(),
            lambda q: q.table.add_columns((q.amount + 1).alias("more")),
            lambda q: q.table.order_by(q.more),
            lambda q: q.table.limit(500),
            lambda q: q.table.distinct(),
            lambda q: q.table.limit(50),
            lambda q: q.table.group_by(q.status, q.amount).select(q.status, q.amount, q.more.sum.alias("m")),
            lambda q: q.table.order_by(q.m),
        ),
        (
            8,
            lambda q: q.table.group_by(q.status, q.amount, q.customer_id).select(
                q.status, q.amount, q.customer_id, q.more.sum.alias("m")
            ),
        ),
    ),
    "tags": Chain(
        T.products.drop_columns(col("attributes")),
        (
            lambda q: q.table.filter(q.price > 1),
            lambda q: q.table.join_lateral(explode(q.tags).alias("tag")),
            lambda q: q.table.filter(q.tag != "a5"),
            lambda q: q.table.left_outer_join(T.lines, q.product == col("sku")),
            lambda q: q.table.drop_columns(q.sku, q.size, q.tags),
            lambda q: q.table.add_columns((q.price * q.quantity).alias("worth")),
            lambda q: q.table.group_by(q.product, q.tag).select(
                q.product, q.tag, q.worth.sum.alias("worth"), lit(1).count.alias("n")
            ),
            lambda q: q.table.filter(q.n > 1),
            lambda q: q.table.order_by(q.worth.desc, q.product),
            lambda q: q.table.limit(5, 2),
        ),
        (
            6,
            lambda q: q.table.group_by(q.product, q.tag, q.line_order).select(
                q.product, q.tag, q.line_order, q.worth.sum.alias("worth"), lit(1).count.alias("n")
            ),
        ),
    ),
    "windows": Chain(
        T.events,
        (
            lambda q: q.table.filter(q.v > 0),
            lambda q: q.table.add_columns(q.v.lag(1, 0).over(_window(q.k, q.e)).alias("before")),
            lambda q: q.table.add_columns((q.v - q.before).alias("step")),
            lambda q: q.table.filter(q.step >= 0),
            lambda q: (
                q.table.window(_ten_minutes(q))
                .group_by(q.w, q.k)
                .select(q.k, q.w.start.alias("ws"), q.step.sum.alias("s"), lit(1).count.alias("n"))
            ),
            lambda q: q.table.filter(q.n > 1),
            lambda q: q.table.add_columns(rank().over(_window(q.k, q.s)).alias("place")),
            lambda q: q.table.filter(q.place < 3),
            lambda q: q.table.rename_columns(q.ws.alias("since")),
            lambda q: q.table.order_by(q.since, q.place),
        ),
        (
            4,
            lambda q: (
                q.table.window(_ten_minutes(q))
                .group_by(q.w, q.k, q.day)
                .select(q.k, q.day, q.w.start.alias("ws"), q.step.sum.alias("s"), lit(1).count.alias("n"))
            ),
        ),
    ),
    "subqueries": Chain(
        T.orders,
        (
            lambda q: q.table.filter(exists(T.lines.filter(col("line_order") == q.table.outer(q.named("order_id"))))),
            lambda q: q.table.filter(q.customer_id.in_(T.customers.filter(col("city") == "Paris").select(col("id")))),
            lambda q: q.table.add_columns((q.amount - scalar(T.orders.select(col("amount").avg))).alias("over")),
            lambda q: q.table.filter(q.over > 0),
            lambda q: q.table.join(T.customers.select(col("id"), col("name")), q.customer_id == col("id")),
            lambda q: q.table.drop_columns(q.id),
            lambda q: q.table.group_by(q.name).select(q.name, q.over.sum.alias("over"), q.order_id.count.alias("n")),
            lambda q: q.table.filter(q.n > 0),
            lambda q: q.table.minus(q.table.filter(q.name.in_(T.products.select(col("product"))))),
            lambda q: q.table.order_by(q.over.desc),
        ),
        (
            6,
            lambda q: q.table.group_by(q.name, q.status).select(
                q.name, q.status, q.over.sum.alias("over"), q.order_id.count.alias("n")
            ),
        ),
    ),
    "pivots": Chain(
        T.orders,
        (
            lambda q: q.table.filter(q.status.is_not_null),
            lambda q: q.table.group_by(q.customer_id).pivot(q.status, ["paid", "open"]).select(q.amount.sum),
            lambda q: q.table.left_outer_join(
                T.customers.select(col("id"), col("name"), col("city")), q.customer_id == col("id")
            ),
            lambda q: q.table.drop_columns(q.id),
            lambda q: q.table.filter(q.city != "Rome"),
            lambda q: q.table.unpivot([q.customer_id, q.name, q.city], [q.paid, q.open], "status", "total"),
            lambda q: q.table.filter(q.total > 0),
            lambda q: q.table.group_by(q.city, q.status).select(q.city, q.status, q.total.max.alias("most")),
            lambda q: q.table.distinct(),
            lambda q: q.table.order_by(q.city, q.most.desc),
        ),
        (
            7,
            lambda q: q.table.group_by(q.city, q.status, q.name).select(
                q.city, q.status, q.name, q.total.max.alias("most")
            ),
        ),
    ),
}
PLACES = range(11)


# --- changes ----------------------------------------------------------------------------------------------------------


def _first(q: Query) -> Expression:
    return col(q.table.query_operation.schema.names[0])


def _renamed(q: Query) -> Table:
    name = q.table.query_operation.schema.names[0]
    q.names[name] = "changed"
    return q.table.rename_columns(col(name).alias("changed"))


def _joined(q: Query) -> Table:
    other = T.right_bag.select(col("x").alias("changed"))
    return q.table.join(other, _first(q).is_not_null & (col("changed") > 0))


CHANGES: dict[str, Step] = {
    "filter": lambda q: q.table.filter(_first(q).is_not_null),
    "column_added": lambda q: q.table.add_columns(_first(q).is_null.alias("changed")),
    "column_renamed": _renamed,
    "join": _joined,
    "join_without_its_columns": lambda q: _joined(q).drop_columns(col("changed")),
    "semi_join": lambda q: q.table.filter(exists(T.right_bag.filter(col("x") > 2))),
    "sort": lambda q: q.table.order_by(_first(q)),
    "limit": lambda q: q.table.limit(77),
    "distinct": lambda q: q.table.distinct(),
    "union_branch": lambda q: q.table.union_all(q.table.filter(_first(q).is_null)),
}


def _text(chain: Chain, place: int | None = None, change: Step | None = None, grouping: Step | None = None) -> str:
    q = Query(chain.start)
    for number, step in enumerate([*chain.steps, None]):
        if number == place and change is not None:
            q.table = change(q)
        if step is not None:
            q.table = (grouping if number == place and grouping is not None else step)(q)
    return q.table.as_serializable_string(layout=Layout.MERGED)


# --- the extent of changes --------------------------------------------------------------------------------------------

_STEP = re.compile(r"^(?:WITH )?`(\w+)` AS \($", re.MULTILINE)


def _selects(text: str) -> Counter[str]:
    """Return the WITH queries and the last query, without indentation, and with the same name for every step."""
    name_of_step = "|".join(map(re.escape, sorted(_STEP.findall(text), key=len, reverse=True)))
    if not name_of_step:
        return Counter([text])
    *steps, last = re.split(r"^\)(?:,\n)?", text, flags=re.MULTILINE)
    bodies = [*[_STEP.sub("", step).strip("\n").replace("\n    ", "\n").strip() for step in steps], last.strip("\n")]
    return Counter([re.sub(rf"`(?:{name_of_step})`", "`step`", body) for body in bodies])


def _changed_lines(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[:2] in ("+ ", "- ")]


def _without_indentation(text: str) -> str:
    return "\n".join([line.strip() for line in text.splitlines()])


every_chain = pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
every_place = pytest.mark.parametrize("place", PLACES)


@every_chain
@every_place
def test_a_filter_changes_at_most_ten_lines(chain: Chain, place: int) -> None:
    before, after = (_without_indentation(text) for text in (_text(chain), _text(chain, place, CHANGES["filter"])))
    changed = _changed_lines(before, after)
    assert 0 < len(changed) <= 10, "\n".join(changed)


# The exception is above the set operation that ends a text, because that operation becomes a step.
_IN_THE_MIDDLE = [(name, place) for name in CHAINS for place in PLACES[1:-1] if (name, place) != ("subqueries", 9)]


@pytest.mark.parametrize(("name", "place"), _IN_THE_MIDDLE)
def test_a_filter_in_the_middle_moves_no_lines(name: str, place: int) -> None:
    changed = _changed_lines(_text(CHAINS[name]), _text(CHAINS[name], place, CHANGES["filter"]))
    assert 0 < len(changed) <= 10, "\n".join(changed)


def _changes() -> list[tuple[str, int, str]]:
    return [(chain, place, change) for change in CHANGES for place in PLACES for chain in CHAINS]


@every("changed", _changes, lambda changed: "-".join(map(str, changed)))
def test_a_change_touches_the_two_selects_beside_it(changed: tuple[str, int, str]) -> None:
    name, place, change = changed
    chain = CHAINS[name]
    before, after = _selects(_text(chain)), _selects(_text(chain, place, CHANGES[change]))
    gone, made = before - after, after - before
    # Further SELECTs list the new or renamed columns.
    others = sum(count for select, count in made.items() if "`changed`" in select)
    assert gone.total() <= 2 + others, "\n\n".join(made)
    assert made.total() <= 3 + others, "\n\n".join(made)


@every_chain
def test_an_additional_key_changes_only_lines_with_its_list(chain: Chain) -> None:
    place, step = chain.grouping
    before, after = _selects(_text(chain)), _selects(_text(chain, place, grouping=step))
    # The SELECT that groups, the one before, which must provide the column, and one after, which lists the columns.
    assert 0 < (before - after).total() == (after - before).total() <= 3
