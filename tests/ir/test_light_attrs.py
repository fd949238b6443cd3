"""The classes of ``ir.light_attrs`` behave as those of attrs."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import weakref
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import attrs
import pytest

from ir import light_classes
from ir.commands.rows import DeleteRow
from ir.nodes import Node

ROOT = Path(__file__).resolve().parents[2]
BOTH = pytest.mark.parametrize("made_by", [attrs, light_classes], ids=["attrs", "light_attrs"])


def _positive(instance: Any, attribute: Any, value: int) -> None:
    if value < 0:
        raise ValueError(f"{attribute.name} of {instance.name} is {value}")


def _classes(made_by: Any) -> tuple[type[Any], type[Any], type[Any]]:
    """Return the same three classes, made by attrs or by the light module."""

    @made_by.frozen(order=True)
    class Price:
        name: str
        amount: int = made_by.field(default=1, validator=_positive)
        tags: tuple[str, ...] = made_by.field(default=(), converter=tuple)
        _label: str = made_by.field(default=made_by.Factory(lambda self: f"{self.name}!", takes_self=True))
        notes: list[str] = made_by.field(factory=list, eq=False, repr=False)
        size: int = made_by.field(default=made_by.Factory(lambda self: len(self.tags), takes_self=True), init=False)
        unit: ClassVar[str] = "EUR"

        def label(self) -> str:
            return self._label

    @made_by.frozen
    class Reduced(Price):
        amount: int = 2
        reduction: int = made_by.field(default=0, kw_only=True)

        def label(self) -> str:
            return super().label() + str(self.reduction)

    @made_by.define
    class Counter:
        count: int
        seen: dict[str, int] = made_by.field(factory=dict)
        unset: int = made_by.field(init=False)

        def __attrs_post_init__(self) -> None:
            self.count += 1

    return Price, Reduced, Counter


@BOTH
def test_fields_are_set_converted_checked_and_computed(made_by: ModuleType) -> None:
    price, reduced, counter = _classes(made_by)
    tea = price("tea", 3, ["a", "b"])
    assert (tea.name, tea.amount, tea.tags, tea.label(), tea.notes, tea.size) == ("tea", 3, ("a", "b"), "tea!", [], 2)
    assert price("x", label="y").label() == "y"
    assert reduced("tea", reduction=5).label() == "tea!5"
    assert price.unit == "EUR"
    with pytest.raises(ValueError, match="amount of tea is -1"):
        price("tea", -1)
    assert counter(1).count == 2
    assert counter(1).seen is not counter(1).seen
    with pytest.raises(AttributeError):
        counter(1).unset  # noqa: B018  # reading it is the test


@BOTH
def test_a_mistaken_call_names_the_argument(made_by: ModuleType) -> None:
    price, reduced, _ = _classes(made_by)
    with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'name'"):
        price()
    with pytest.raises(TypeError, match="unexpected keyword argument 'nmae'"):
        price(nmae="tea")
    with pytest.raises(TypeError, match="positional argument"):
        reduced("tea", (), "l", [], 1, 2)


@BOTH
def test_signatures(made_by: ModuleType) -> None:
    price, reduced, counter = _classes(made_by)
    assert list(inspect.signature(price).parameters) == ["name", "amount", "tags", "label", "notes"]
    assert list(inspect.signature(reduced).parameters) == ["name", "tags", "label", "notes", "amount", "reduction"]
    assert inspect.signature(reduced).parameters["reduction"].kind is inspect.Parameter.KEYWORD_ONLY
    assert inspect.signature(counter.__init__).parameters["count"].annotation == "int"
    assert price.__match_args__ == ("name", "amount", "tags", "_label", "notes")


@BOTH
def test_equality_hash_order_and_repr(made_by: ModuleType) -> None:
    price, reduced, counter = _classes(made_by)
    one, same, other = price("a", notes=["x"]), price("a"), price("b")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one < other
    assert max(one, other) is other
    assert one != reduced("a", amount=1)
    with pytest.raises(TypeError):
        one < reduced("b")  # noqa: B015  # comparing them is the test
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter(1))
    assert repr(one).endswith("Price(name='a', amount=1, tags=(), _label='a!', size=0)")


@BOTH
def test_frozen_classes_have_slots_and_do_not_change(made_by: ModuleType) -> None:
    price, _, counter = _classes(made_by)
    tea = price("tea")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        tea.name = "x"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        del tea.name
    assert not hasattr(tea, "__dict__")
    with pytest.raises(AttributeError):
        counter(1).typo = 1


@BOTH
def test_evolve_asdict_and_fields(made_by: ModuleType) -> None:
    price, reduced, _ = _classes(made_by)
    changed = made_by.evolve(price("tea", 3), amount=4)
    assert (changed.name, changed.amount) == ("tea", 4)
    assert attrs.evolve(price("tea", 3), label="l").label() == "l"
    assert attrs.asdict(price("tea"), recurse=False) == {
        "name": "tea",
        "amount": 1,
        "tags": (),
        "_label": "tea!",
        "notes": [],
        "size": 0,
    }
    assert [one.name for one in made_by.fields(reduced)] == [one.name for one in attrs.fields(reduced)]
    assert attrs.has(price)
    found = attrs.fields(price)
    assert (found.amount.default, found.name.default) == (1, attrs.NOTHING)
    assert [one.alias for one in found] == ["name", "amount", "tags", "label", "notes", "size"]
    assert [one.init for one in found] == [True, True, True, True, True, False]


@BOTH
def test_copies(made_by: ModuleType) -> None:
    price, _, _ = _classes(made_by)
    tea = price("tea", tags=("a",))
    assert copy.copy(tea) == tea
    assert copy.deepcopy(tea) == tea


@light_classes.frozen
class _Pickled:
    name: str
    parts: tuple[_Pickled, ...] = ()


def test_pickling() -> None:
    tree = _Pickled("a", (_Pickled("b"),))
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert {tree: 1}[pickle.loads(pickle.dumps(tree))] == 1


def test_nodes_without_any_field() -> None:
    class Nothing(Node):
        pass

    assert Nothing() is Nothing()
    assert not hasattr(Nothing(), "__dict__")
    assert weakref.ref(Nothing()) is not None
    assert pickle.loads(pickle.dumps(DeleteRow())) is DeleteRow()
    assert list(attrs.fields(DeleteRow)) == []


def test_own_methods_stay() -> None:
    @light_classes.frozen
    class Own:
        name: str

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Own("a")), Own("a") == 5, hash(Own("a"))) == ("own", True, 7)


def test_what_is_missing_is_refused() -> None:
    with pytest.raises(TypeError, match="cached properties"):

        @light_classes.frozen
        class Cached:
            name: str

            @cached_property
            def upper(self) -> str:
                return self.name.upper()

    with pytest.raises(TypeError, match="has to be a class of attrs"):
        light_classes.frozen(slots=False)

    @attrs.frozen
    class OfAttrs:
        name: str

    with pytest.raises(TypeError, match="OfAttrs is a class of attrs"):

        @light_classes.frozen
        class Below(OfAttrs):
            size: int

    with pytest.raises(TypeError, match="field size needs a default"):

        @light_classes.frozen
        class Misordered:
            name: str = ""
            size: int


def test_a_class_of_attrs_extends_a_light_one() -> None:
    price, _, _ = _classes(light_classes)

    @attrs.frozen
    class Extended(price):  # type: ignore[misc, valid-type]  # the class is a value here
        extra: int = 0

    assert Extended("tea", extra=2).extra == 2
    assert Extended("tea").label() == "tea!"


@pytest.mark.parametrize("layout", ["NESTED", "MERGED"])
def test_a_first_text_loads_neither_attrs_nor_inspect(layout: str) -> None:
    program = (
        "from tableapi import TableEnvironment\n"
        "table = TableEnvironment.create().from_elements([(1, 'a')], ['n', 's'])\n"
        f"table.filter(table.n > 1).select((table.n + 1).alias('m')).as_serializable_string(layout='{layout}')\n"
        "import sys; print([name for name in ('attr', 'attrs', 'inspect', 'dataclasses') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_slotted_class_is_made_once() -> None:
    class Price(light_classes.Slotted):
        name: str
        amount: int = 1

        def label(self) -> str:
            return f"{super().__repr__()}!"

    class Nothing(light_classes.Slotted):
        pass

    price: Any = light_classes.frozen(Price)
    assert price is Price
    tea = price("tea")
    assert tea == price("tea")
    assert hash(tea) == hash(price("tea"))
    assert repr(tea).endswith("Price(name='tea', amount=1)")
    assert tea.label().endswith("!")  # super() means the class
    assert not hasattr(tea, "__dict__")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        tea.name = "x"
    nothing: Any = light_classes.frozen(Nothing)
    assert nothing() == nothing()
    assert not hasattr(nothing(), "__dict__")
    empty = nothing()
    assert weakref.ref(empty)() is empty
