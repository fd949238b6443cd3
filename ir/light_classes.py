"""How ``ir.light_attrs`` makes classes: slots and fields at once, ``__init__`` with the first instance.

The code of an ``__init__`` is the same for all classes of one shape, that is, for classes that differ in the names of
their fields alone. ``ir.init_shapes`` has the shapes of a first text; others are compiled with the first instance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from operator import attrgetter, eq, ge, gt, le, lt
from reprlib import recursive_repr
from types import CellType, CodeType, FunctionType

from ir import init_shapes
from ir.light_typing import Any, Final, TypeVar

T = TypeVar("T")


class _Nothing:
    """The default of a field that has none."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "_Nothing.NOTHING"  # as signatures of attrs have it


NOTHING: Final = _Nothing()


class Factory:
    """A default that is computed for each instance.

    Args:
        factory: a function without arguments, or of the instance.
        takes_self: whether the function takes the instance, whose earlier fields are set.
    """

    __slots__ = ("factory", "takes_self")

    def __init__(self, factory: Callable[..., Any], takes_self: bool = False) -> None:
        self.factory = factory
        self.takes_self = takes_self


class Attribute:
    """A field of a class, with attrs' names."""

    __slots__ = ("converter", "default", "eq", "hash", "init", "kw_only", "name", "repr", "validator")

    name: str

    def __init__(
        self,
        default: Any = NOTHING,
        init: bool = True,
        repr: bool = True,
        eq: bool = True,
        hash: bool | None = None,
        kw_only: bool = False,
        validator: Callable[[Any, Attribute, Any], None] | None = None,
        converter: Callable[[Any], Any] | None = None,
    ) -> None:
        self.default = default
        self.init = init
        self.repr = repr
        self.eq = eq
        self.hash = eq if hash is None else hash
        self.kw_only = kw_only
        self.validator = validator
        self.converter = converter

    @property
    def alias(self) -> str:
        """The name of the argument of ``__init__``."""
        return self.name.lstrip("_")


def field(*, default: Any = NOTHING, factory: Callable[[], Any] | None = None, **options: Any) -> Any:
    """Declare a field with options, as ``attrs.field`` does."""
    return Attribute(default if factory is None else Factory(factory), **options)


# --- the fields of a class --------------------------------------------------------------------------------------------


def declares_fields(namespace: Mapping[str, Any]) -> bool:
    """Whether a class body annotates fields; annotations are strings here, also for ClassVar."""
    return any(not str(text).startswith("ClassVar") for text in namespace.get("__annotations__", {}).values())


def slotted(namespace: dict[str, Any], bases: Iterable[type], kw_only: bool = False) -> dict[str, Any]:
    """Return the namespace of a class body with slots instead of its fields.

    Args:
        namespace: what the class body defines.
        bases: the bases of the class.
        kw_only: whether all fields of the body are keyword arguments.

    Raises:
        TypeError: a base is a class of attrs, a property is cached, or a field needs a default because an earlier one
            has it.
    """
    own = _own_fields(namespace, kw_only)
    inherited: dict[str, Attribute] = {}
    has_weak_references = False
    for base in bases:
        has_weak_references = has_weak_references or hasattr(base, "__weakref__")
        found = getattr(base, "__light_fields__", None)
        if found is None and hasattr(base, "__attrs_attrs__"):
            raise TypeError(f"{base.__qualname__} is a class of attrs, so that its subclasses have to be, too.")
        inherited.update({one.name: one for one in found or ()})
    every = (*[one for name, one in inherited.items() if name not in own], *own.values())
    _check_order(every)
    body = {name: value for name, value in namespace.items() if name not in own and name not in _OF_CLASSES}
    if any(isinstance(value, cached_property) for value in body.values()):
        raise TypeError("A class with slots has no cached properties: make it a class of attrs.")
    slots = [name for name in own if name not in inherited]
    body["__slots__"] = tuple(slots if has_weak_references else [*slots, "__weakref__"])
    body["__light_fields__"] = every
    body["__attrs_attrs__"] = _AttrsAttributes()
    body["__match_args__"] = tuple([one.name for one in every if one.init and not one.kw_only])
    body["__init__"] = _LateInit()
    return body


class SlottedMeta(type):
    """The metaclass of ``Slotted``."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> type:
        if "__light_fields__" not in namespace:
            if declares_fields(namespace):
                namespace = slotted(namespace, bases)
            else:
                namespace.setdefault("__slots__", ())
        return super().__new__(mcls, name, bases, namespace, **options)


class Slotted(metaclass=SlottedMeta):
    """A base of classes that ``define`` need not make a second time, because they have their slots at once."""


# What Python itself puts into a class.
_OF_CLASSES = frozenset(("__dict__", "__weakref__"))


def _own_fields(namespace: Mapping[str, Any], kw_only: bool) -> dict[str, Attribute]:
    own = {}
    for name, annotation in namespace.get("__annotations__", {}).items():
        if not str(annotation).startswith("ClassVar"):
            given = namespace.get(name, NOTHING)
            if isinstance(given, Factory) or not isinstance(given, Attribute):
                given = Attribute(given)
            given.name = name
            given.kw_only = given.kw_only or kw_only
            own[name] = given
    return own


def _check_order(every: Iterable[Attribute]) -> None:
    has_default = False
    for one in every:
        if one.init and not one.kw_only:
            if has_default and one.default is NOTHING:
                raise TypeError(f"The field {one.name} needs a default, because a field before it has one.")
            has_default = one.default is not NOTHING


def fields(cls: type) -> tuple[Attribute, ...]:
    """Return the fields of a class of this module or of attrs, those of its bases first."""
    found: tuple[Attribute, ...] | None = getattr(cls, "__light_fields__", None)
    return cls.__attrs_attrs__ if found is None else found  # type: ignore[attr-defined]  # either has them


def has(cls: type) -> bool:
    """Whether a class has fields of this module or of attrs."""
    return hasattr(cls, "__attrs_attrs__")


def evolve(instance: T, /, **changes: Any) -> T:
    """Return a copy of an instance with some fields changed, by the names of the arguments of ``__init__``."""
    for one in fields(type(instance)):
        if one.init and one.alias not in changes:
            changes[one.alias] = getattr(instance, one.name)
    return type(instance)(**changes)


class _AttrsAttributes:
    """The fields of a class for attrs and for the libraries that ask for them, such as rich."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    def __get__(self, instance: object, owner: type) -> Any:
        import attrs

        declared: dict[str, Any] = {}
        for one in fields(self._owner):
            default = one.default
            if isinstance(default, Factory):
                default = attrs.Factory(default.factory, default.takes_self)  # type: ignore[call-overload]  # either overload
            options: dict[str, Any] = {"validator": one.validator, "converter": one.converter}
            declared[one.name] = attrs.field(
                default=attrs.NOTHING if default is NOTHING else default,
                init=one.init,
                repr=one.repr,
                eq=one.eq,
                hash=one.hash,
                kw_only=one.kw_only,
                **options,
            )
        found = attrs.fields(attrs.make_class(self._owner.__name__, declared))
        self._owner.__attrs_attrs__ = found  # type: ignore[attr-defined]  # in the place of this descriptor
        return found


# --- __init__ ---------------------------------------------------------------------------------------------------------


class _LateInit:
    """The ``__init__`` of a class until it is called or read for the first time."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    def __get__(self, instance: object, owner: type) -> Any:
        init = _make_init(self._owner)
        self._owner.__init__ = init  # type: ignore[misc]  # in the place of this descriptor
        return init if instance is None else init.__get__(instance, owner)


def _make_init(cls: type) -> FunctionType:
    """Make the ``__init__`` of a class from the code for its shape."""
    every = fields(cls)
    shape = shape_of(cls)
    scope: dict[str, Any] = {"NOTHING": NOTHING}
    names: dict[str, str] = {}
    defaults: list[Any] = []
    keyword_defaults = {}
    for number, one in enumerate(every):
        default = one.default
        names[f"f{number}"] = one.name
        if isinstance(default, Factory):
            scope[f"m{number}"] = default.factory
            default = NOTHING
        elif not one.init:
            scope[f"d{number}"] = default
        if one.init:
            names[f"a{number}"] = one.alias
            if one.default is not NOTHING and one.kw_only:
                keyword_defaults[one.alias] = default
            elif one.default is not NOTHING:
                defaults.append(default)
        if one.converter is not None:
            scope[f"c{number}"] = one.converter
        if shape[0] == "f":
            # The slot itself sets the field: ``object.__setattr__`` would look it up by name.
            scope[f"s{number}"] = getattr(cls, one.name).__set__
        if one.validator is not None:
            scope |= {f"v{number}": one.validator, f"o{number}": one}
    code = _code_of(shape)
    code = code.replace(
        co_names=tuple([names.get(name, name) for name in code.co_names]),
        co_varnames=tuple([names.get(name, name) for name in code.co_varnames]),
    )
    init = FunctionType(code, scope, "__init__", tuple(defaults))
    init.__kwdefaults__ = keyword_defaults
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__annotations__ = _annotations(cls, every)
    return init


def shape_of(cls: type) -> str:
    """Return the shape of a class: all that determines its ``__init__``, except names.

    It begins with ``frozen`` or ``open``, and ends with ``post`` if the class has ``__attrs_post_init__``. Between them
    is a word for each field. Its first letter says where the value comes from: ``a`` an argument, ``k`` a keyword,
    ``d`` a constant, ``m`` a function without arguments, ``s`` a function of the instance, ``n`` nowhere. Further
    letters are ``m`` and ``s`` for the default of an argument, ``c`` for a converter and ``v`` for a validator.
    """
    is_frozen: bool = cls.__setattr__ is not object.__setattr__  # type: ignore[comparison-overlap]  # ours has a type of its own
    words = ["frozen" if is_frozen else "open"]
    for one in fields(cls):
        default = one.default
        made = ("s" if default.takes_self else "m") if isinstance(default, Factory) else ""
        if one.init:
            word = ("k" if one.kw_only else "a") + made
        elif default is NOTHING:
            words.append("n")
            continue
        else:
            word = made or "d"
        if one.converter is not None:
            word += "c"
        if one.validator is not None:
            word += "v"
        words.append(word)
    if hasattr(cls, "__attrs_post_init__"):
        words.append("post")
    return "_".join(words)


def write_init(shape: str) -> str:
    """Return the source of a function that is the ``__init__`` of a shape, with numbers for names."""
    kind, *words = shape.split("_")
    arguments: list[str] = []
    keywords: list[str] = []
    lines: list[str] = []
    checks: list[str] = []
    for number, word in enumerate(words):
        given = f"a{number}"
        source, more = word[0], word[1:]
        if word == "post":
            checks.append("self.__attrs_post_init__()")
            continue
        if source == "n":
            continue
        if source in "ak":
            (keywords if source == "k" else arguments).append(given)
            if more[:1] in ("m", "s"):
                made = f"m{number}(self)" if more[0] == "s" else f"m{number}()"
                lines.append(f"if {given} is NOTHING: {given} = {made}")
        else:
            given = {"d": f"d{number}", "m": f"m{number}()", "s": f"m{number}(self)"}[source]
        if "c" in more:
            given = f"c{number}({given})"
        lines.append(f"s{number}(self, {given})" if kind == "frozen" else f"self.f{number} = {given}")
        if "v" in more:
            checks.append(f"v{number}(self, o{number}, self.f{number})")
    header = ", ".join(["self", *arguments, *(["*", *keywords] if keywords else [])])
    body = [*lines, *checks] or ["pass"]
    return "\n    ".join([f"def {shape}({header}):", *body]) + "\n"


@cache
def _code_of(shape: str) -> CodeType:
    """Return the code of a shape: that of ``ir.init_shapes`` if it has one, because Python has compiled it before."""
    found = getattr(init_shapes, shape, None)
    if found is None:
        scope: dict[str, Any] = {}
        exec(compile(write_init(shape), "<the __init__ of ir.light_classes>", "exec"), scope)
        found = scope[shape]
    code: CodeType = found.__code__
    return code


def _annotations(cls: type, every: Iterable[Attribute]) -> dict[str, Any]:
    """Return the annotations of ``__init__``; what a converter accepts is in its own."""
    declared: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        declared.update(vars(base).get("__annotations__", {}))
    found = {one.alias: declared[one.name] for one in every if one.init and one.converter is None}
    return {**found, "return": None}


# --- the decorators ---------------------------------------------------------------------------------------------------


def frozen(cls: type | None = None, **options: Any) -> Any:
    """Make a class whose instances do not change, as ``attrs.frozen`` does."""
    return define(cls, is_frozen=True, **options)


def define(
    cls: type | None = None,
    *,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,
    kw_only: bool = False,
    slots: bool = True,
    weakref_slot: bool = True,
    getstate_setstate: bool = True,
    is_frozen: bool = False,
) -> Any:
    """Make a class with slots for its annotated fields, as ``attrs.define`` does.

    Args:
        cls: the class; None in a decorator with options.
        eq: whether instances with equal fields are equal, and have equal hashes if they are frozen.
        order: whether instances are ordered by their fields.
        repr: whether ``repr`` shows the fields.
        kw_only: whether all fields of the class are keyword arguments.
        slots: True, as in attrs by default.
        weakref_slot: True, as in attrs by default.
        getstate_setstate: whether instances are pickled by their fields.
        is_frozen: whether setting a field raises an error.
    """
    if not (slots and weakref_slot):
        raise TypeError("A class without slots or weak references has to be a class of attrs.")

    def make(cls: type) -> type:
        namespace = vars(cls)
        methods: dict[str, Any] = {}
        if is_frozen:
            methods.update(FROZEN)
        if getstate_setstate:
            methods.update(_PICKLED)
        if repr and "__repr__" not in namespace:
            methods["__repr__"] = _repr
        if order:
            methods.update(_ORDERED)
        # Python itself sets ``__hash__`` to None in a class that defines ``__eq__``.
        if eq and "__eq__" not in namespace:
            methods["__eq__"] = _equals
            if not is_frozen:
                methods["__hash__"] = None
            elif namespace.get("__hash__") is None:
                methods["__hash__"] = _hash
        if "__light_fields__" in namespace and not kw_only:
            for name, method in methods.items():
                setattr(cls, name, method)
            return cls
        body = slotted(dict(namespace), cls.__bases__, kw_only)
        made = type(cls)(cls.__name__, cls.__bases__, body | methods)
        made.__qualname__ = cls.__qualname__
        _replace_in_closures(cls, made)
        return made

    return make if cls is None else make(cls)


def _replace_in_closures(old: type, new: type) -> None:
    """Let ``super()`` and ``__class__`` in methods mean the class with slots."""
    for value in vars(new).values():
        functions = (value.fget, value.fset) if isinstance(value, property) else (getattr(value, "__func__", value),)
        for function in functions:
            for cell in getattr(function, "__closure__", None) or ():
                if isinstance(cell, CellType) and _content(cell) is old:
                    cell.cell_contents = new


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return None


# --- the methods of all classes ---------------------------------------------------------------------------------------


def _set_frozen(self: Any, name: str, value: Any) -> None:
    from attrs.exceptions import FrozenInstanceError

    raise FrozenInstanceError


def _delete_frozen(self: Any, name: str) -> None:
    from attrs.exceptions import FrozenInstanceError

    raise FrozenInstanceError


FROZEN: Final = {"__setattr__": _set_frozen, "__delattr__": _delete_frozen}


def _get_state(self: Any) -> dict[str, Any]:
    return {one.name: getattr(self, one.name) for one in fields(type(self))}


def _set_state(self: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)


_PICKLED: Final = {"__getstate__": _get_state, "__setstate__": _set_state}


@recursive_repr("...")
def _repr(self: Any) -> str:
    shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(type(self)) if one.repr)
    return f"{type(self).__qualname__.rsplit('>.', 1)[-1]}({shown})"


def _class_of(instance: Any) -> Any:
    return type(instance)


def _comparison(operator: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        read = _compared(_class_of(self))
        return operator(read(self), read(other))

    return compare


_equals = _comparison(eq)
_ORDERED: Final = {f"__{operator.__name__}__": _comparison(operator) for operator in (lt, le, gt, ge)}


def _hash(self: Any) -> int:
    return hash((type(self), _hashed(_class_of(self))(self)))


@cache
def _compared(cls: Any) -> Callable[[Any], Any]:
    return read_all([one.name for one in fields(cls) if one.eq])


@cache
def _hashed(cls: Any) -> Callable[[Any], Any]:
    return read_all([one.name for one in fields(cls) if one.hash])


def read_all(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that reads attributes of an object as a tuple."""
    if len(names) > 1:
        # It loops in C. For a single name, it would not return a tuple.
        return attrgetter(*names)
    return lambda instance: tuple([getattr(instance, name) for name in names])
