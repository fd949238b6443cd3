"""Immutable nodes that are interned at construction, so that equality is identity at any depth.

attrs' own ``__eq__``, ``__hash__``, ``__repr__`` and pickling recurse over the tree at each use. Here, making a node
with the same fields as a living node returns *that* node: comparing, hashing and adding nodes to sets costs the same
for a leaf and for a tree of 100,000 nodes. The table of living nodes refers to them weakly.
"""

from __future__ import annotations

from _weakref import _remove_dead_weakref, ref  # type: ignore[attr-defined]  # the module weakref uses them, too
from collections.abc import Callable, Iterator, Sequence

from ir import light_attrs as attrs
from ir.light_classes import FROZEN, SlottedMeta, declares_fields, read_all, slotted
from ir.light_typing import Any, TypeVar
from ir.records import dataclass_transform


class _Living(ref[Any]):
    """A weak reference to a living node in the table, with the node's key."""

    __slots__ = ("key",)

    key: tuple[Any, ...]


# An inlined WeakValueDictionary, which takes several times as long: no other operation is as frequent. As in that
# class, each step is atomic in the interpreter, so that threads need no lock.
_living: dict[tuple[Any, ...], _Living] = {}

N = TypeVar("N")


def _forget(
    dead: _Living,
    living: dict[tuple[Any, ...], _Living] = _living,
    remove: Callable[[Any, Any], None] = _remove_dead_weakref,
) -> None:
    # The globals are arguments, because they no longer exist when the interpreter exits. If another node has replaced
    # the dead one in the table, that node stays.
    remove(living, dead.key)


def _intern_again(made: _Living, instance: Any) -> Any:
    """Return the node that another thread has just made, or insert the new node in place of a dead one."""
    while True:
        found = _living.setdefault(made.key, made)
        if found is made:
            return instance
        living = found()
        if living is not None:
            return living
        _remove_dead_weakref(_living, made.key)


class _InternedMeta(SlottedMeta):
    """Replaces each new instance by the living one with the same identity, if there is one."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **kwargs: Any) -> type:
        # A class without fields of its own keeps all methods of its base, and its instances have no dictionary, either.
        # ``Node`` itself has none, and gives the classes below it what every class with fields has.
        if declares_fields(namespace) or not bases:
            namespace = slotted(namespace, bases)
        else:
            namespace.setdefault("__slots__", ())
        if not bases:
            namespace.update(FROZEN)
        return type.__new__(mcls, name, bases, namespace, **kwargs)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if len(args) == _width_of.get(cls) and not kwargs:
            # The arguments identify the node, so that a living node is not made again.
            instance, key = None, (cls, args)
        else:
            instance, key = _compute_key(cls, args, kwargs)
        # Most nodes that are requested are living already.
        found = _living.get(key)
        living = None if found is None else found()
        if living is not None:
            return living
        if instance is None:
            instance = type.__call__(cls, *args)
        made = _Living(instance, _forget)
        made.key = key
        found = _living.setdefault(key, made)
        return instance if found is made else _intern_again(made, instance)


class Node(metaclass=_InternedMeta):
    """A value of a tree, equal only to itself."""

    def _identity(self) -> Any:
        """Return the identity of this node within its class: by default all arguments of ``__init__``.

        A class in which equal arguments do not imply equal nodes defines a static ``_identity_of_given`` of the
        arguments.
        """
        return _fields_in(type(self))(self)

    def evolve(self: N, **changes: Any) -> N:
        """Return the same node with some fields changed, under the argument names of ``__init__``."""
        values = {_argument(name): getattr(self, name) for name in init_fields(type(self))}
        return type(self)(**{**values, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (_flatten(self),)

    def __copy__(self: N) -> N:
        return self

    def __deepcopy__(self: N, memo: dict[int, Any]) -> N:
        return self


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def node(cls: type[N]) -> type[N]:
    """Declare for type checkers that a class has the fields that it annotates; ``Node`` makes them."""
    return cls


_fields_of: dict[type, tuple[str, ...]] = {}


def init_fields(cls: type) -> tuple[str, ...]:
    """Return the names of the fields of a node class that are arguments of ``__init__``."""
    names = _fields_of.get(cls)
    if names is None:
        names = _fields_of[cls] = tuple(a.name for a in attrs.fields(cls) if a.init)
    return names


_identity_of: dict[type, Callable[[Any], Any]] = {}


def _make_identity(cls: type) -> Callable[[Any], Any]:
    """Make the function that computes the identity of nodes of a class."""
    inherits = _has_identity_of_fields(cls)
    identity: Callable[[Any], Any] = _fields_in(cls) if inherits else cls._identity  # type: ignore[attr-defined]
    told_by = getattr(cls, "_identity_of_given", None)
    if told_by is not None:
        fields = identity
        identity = lambda node: told_by(*fields(node))  # noqa: E731  # composes two functions
    _identity_of[cls] = identity
    return identity


def _has_identity_of_fields(cls: type) -> bool:
    """Whether the arguments of ``__init__`` alone identify the nodes of a class."""
    return cls._identity is Node._identity  # type: ignore[attr-defined]  # a class of nodes has it


def _fields_in(cls: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads all ``__init__`` arguments of a node."""
    return read_all(init_fields(cls))


# The number of positional arguments that identify a node of a class by themselves.
_width_of: dict[type, int] = {}
_defaults_of: dict[type, tuple[Any, ...] | None] = {}
_told_by: dict[type, Callable[..., Any]] = {}


def _compute_key(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """Return the key of a node, and the node itself if it had to be made to compute the key."""
    try:
        defaults = _defaults_of[cls]
    except KeyError:
        defaults = _make_defaults(cls)
    if defaults is None or kwargs:
        instance = type.__call__(cls, *args, **kwargs)
        return instance, (cls, (_identity_of.get(cls) or _make_identity(cls))(instance))
    if len(args) != len(defaults):
        return None, (cls, (*args, *defaults[len(args) - len(defaults) :]))
    return None, (cls, _told_by[cls](*args) if cls in _told_by else args)


def _make_defaults(cls: type) -> tuple[Any, ...] | None:
    """Return the defaults of the fields of a class if the positional arguments identify its nodes, else None.

    They do not if the class defines its own identity, or if ``__init__`` converts its arguments.
    """
    fields = [field for field in attrs.fields(cls) if field.init]
    as_given = all(
        field.converter is None and not field.kw_only and not isinstance(field.default, attrs.Factory)  # type: ignore[arg-type]  # attrs declares the class as a function
        for field in fields
    )
    if not as_given or not _has_identity_of_fields(cls):
        _defaults_of[cls] = None
    else:
        told_by = getattr(cls, "_identity_of_given", None)
        if told_by is None:
            _width_of[cls] = len(fields)
        else:
            _told_by[cls] = told_by
        _defaults_of[cls] = tuple([field.default for field in fields])
    return _defaults_of[cls]


def _argument(field: str) -> str:
    """Return the argument name of ``__init__`` for a field."""
    return field.lstrip("_")


def computed_field(compute: Callable[[Any], Any]) -> Any:
    """Declare a field that is computed from the others once, when the node is made."""
    return attrs.field(default=attrs.Factory(compute, takes_self=True), init=False)


def post_order(root: N, children: Callable[[N], Sequence[N]]) -> Iterator[N]:
    """Yield every distinct node below ``root`` once, children before parents and ``root`` last, without recursion."""
    return post_order_of((root,), children)


def post_order_of(roots: Sequence[N], children: Callable[[N], Sequence[N]]) -> Iterator[N]:
    """Yield every distinct node below some roots once, children before parents."""
    seen: set[int] = set()
    # None above a node on the stack means that the children of the node have been yielded.
    stack: list[N | None] = list(reversed(roots))
    while stack:
        current = stack.pop()
        if current is None:
            yield stack.pop()  # type: ignore[misc]  # below None is a node
        elif id(current) not in seen:
            seen.add(id(current))
            below = children(current)
            if below:
                stack += (current, None)
                stack += reversed(below)
            else:
                yield current


@attrs.frozen(eq=False, repr=False)
class _Reference(attrs.Slotted):
    """A node in a flattened tree, given by the step that builds it."""

    step: int


def _child_nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _child_nodes(item)


def _flatten(root: Node) -> tuple[tuple[type, tuple[str, ...], tuple[Any, ...]], ...]:
    """Return the steps that rebuild ``root``; pickling a list, unlike pickling a tree, does not recurse."""
    steps: list[tuple[type, tuple[str, ...], tuple[Any, ...]]] = []
    position: dict[int, int] = {}

    def encode(value: Any) -> Any:
        if isinstance(value, Node):
            return _Reference(position[id(value)])
        if type(value) is tuple:
            return tuple([encode(item) for item in value])
        return value

    def children(current: Node) -> list[Node]:
        return [c for name in init_fields(type(current)) for c in _child_nodes(getattr(current, name))]

    for current in post_order(root, children):
        names = init_fields(type(current))
        steps.append((type(current), names, tuple([encode(getattr(current, name)) for name in names])))
        position[id(current)] = len(steps) - 1
    return tuple(steps)


def _rebuild(steps: tuple[tuple[type, tuple[str, ...], tuple[Any, ...]], ...]) -> Node:
    built: list[Node] = []

    def decode(value: Any) -> Any:
        if type(value) is _Reference:
            return built[value.step]
        if type(value) is tuple:
            return tuple([decode(item) for item in value])
        return value

    for cls, names, values in steps:
        built.append(cls(**{_argument(name): decode(value) for name, value in zip(names, values, strict=True)}))
    return built[-1]
