"""Errors about unknown names with suggestions, and names that are loaded on first use.

``foreign_members`` lists the member names of other libraries; only error messages load it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping

from ir.errors import did_you_mean, listing
from ir.light_typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from tableapi.lazy import lazy, load

if TYPE_CHECKING:
    import dis
    import inspect
    import re
    from types import FrameType

    from ir import expressions, message_texts, nearest_names, unresolved
    from ir import types as t
    from ir.expressions import Expression
    from ir.functions import builtins
    from ir.functions import definition as definitions
    from ir.inference import results
    from tableapi import packages
    from tableapi.advice import foreign_members, misused_members
else:
    re = lazy(__name__, "re")
    message_texts = lazy(__name__, "ir.message_texts")
    packages = lazy(__name__, "tableapi.packages")
    nearest_names = lazy(__name__, "ir.nearest_names")
    foreign_members = lazy(__name__, "tableapi.advice.foreign_members")
    inspect = lazy(__name__, "inspect")
    t = lazy(__name__, "ir.types")
    expressions = lazy(__name__, "ir.expressions")
    unresolved = lazy(__name__, "ir.unresolved")
    definitions = lazy(__name__, "ir.functions.definition")
    results = lazy(__name__, "ir.inference.results")
    misused_members = lazy(__name__, "tableapi.advice.misused_members")
    builtins = lazy(__name__, "ir.functions.builtins")
    dis = lazy(__name__, "dis")

_MOST_MEMBERS = 40
_MODULES_OF_USERS = ("tableapi", "tableapi.expressions", "tableapi.window")


def make_attribute_error(name: str, message: str) -> AttributeError:
    """Return an AttributeError without the object, because Python would otherwise add its own suggestion."""
    return AttributeError(message_texts.readable(message), name=name, obj=None)


def public_members(owner: Any) -> list[str]:
    """Return the names of the public members of a class or a module."""
    return [name for name in dir(owner) if not name.startswith("_")]


def reraise_of_property(owner: Any, name: str) -> None:
    """Raise an AttributeError of a property again; call it from ``__getattr__``, where the original error is lost.

    Raises:
        AttributeError: the class of ``owner`` defines the name.
    """
    if any(name in vars(cls) for cls in type(owner).__mro__):
        object.__getattribute__(owner, name)


def advise(receiver: str, name: str, members: Collection[str]) -> str:
    """Return a sentence, after a space, that suggests a replacement for a name; an empty string if there is none.

    If no valid name is near, the suggestion may be for a name of another library that is near.

    Args:
        receiver: the object without such a member, as ``foreign_members`` names it.
        name: the unknown name.
        members: the valid names, the likeliest first.
    """
    foreign = foreign_members.FOREIGN_MEMBERS.get(receiver, {})
    hint = "" if name in foreign else did_you_mean(name, members)
    meant = name if name in foreign else nearest_names.nearest_name(name, foreign, is_typo=True)
    if hint or meant is None:
        return hint
    code = foreign[meant]
    return f" Write: {code}" if code.startswith(("from ", "import ")) else f" Write {code}."


def make_column_error(cls: type, columns: Collection[str], name: str) -> AttributeError:
    """Return the error about an attribute of a table that is neither a column nor a method."""
    advice = advise("table", name, [*columns, *public_members(cls)])
    shown = "" if advice.startswith(" Write") else f"; its columns are [{listing(columns)}]"
    return make_attribute_error(name, f"The table has neither a method nor a column {name!r}{shown}.{advice}")


def wrong_arguments(error: TypeError, function: Any, given: tuple[Any, ...], named: Mapping[str, Any]) -> TypeError:
    """Return the error about a call whose arguments do not fit a public function, with its parameters.

    Args:
        error: Python's error about the call.
        function: the function.
        given: the positional arguments, of which the first is the object of a method.
        named: the keyword arguments.
    """
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if name not in ("self", "cls")]
    method = function.__name__
    owner = type(given[0]).__name__ if given and hasattr(type(given[0]), method) else ""
    foreign = foreign_members.FOREIGN_PARAMETERS.get(f"{owner}.{method}", {})
    advice = ""
    for name in named:
        if name not in signature.parameters:
            code = foreign.get(name) or foreign.get("*")
            advice = f" Write {code}." if code else did_you_mean(name, names)
            break
    shown = ", ".join(_parameter(parameter) for name, parameter in signature.parameters.items() if name in names)
    taken = f"it takes ({shown})" if names else "it takes no arguments"
    return TypeError(f"{error}; {taken}.{advice}")


def _parameter(parameter: inspect.Parameter) -> str:
    shown = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
    default = parameter.default
    if default is parameter.empty:
        return shown
    return f"{shown}={default!r}" if default is None or isinstance(default, bool | int | str) else f"{shown}=…"


def make_row_field_error(names: Collection[str] | None, name: str, cls: type) -> AttributeError:
    """Return the error about an unknown attribute of a row, with the names of its fields."""
    advice = advise("row", name, [*(names or ()), *public_members(cls)])
    shown = "no names" if names is None else f"the fields [{listing(names)}]"
    return make_attribute_error(name, f"The row has no field {name!r}; it has {shown}.{advice}")


def check_has_fields(expression: Expression, name: str, cls: type) -> None:
    """Reject an unknown member of an expression whose value is certainly not a row.

    The type of a column is unknown until the expression becomes part of a table, where an unknown field is rejected.

    Args:
        expression: the expression.
        name: the unknown name.
        cls: the class of fluent expressions.

    Raises:
        AttributeError: the value has a type without fields.
    """
    data_type: t.LogicalType | None = None
    is_sort_key = isinstance(expression, unresolved.Ordering)
    if isinstance(expression, unresolved.UnresolvedOver):
        expression = expression.call
    if isinstance(expression, expressions.ValueLiteral):
        data_type = expression.data_type
    elif isinstance(expression, unresolved.UnresolvedCall) and isinstance(
        expression.function, definitions.FunctionDefinition
    ):
        data_type = results.fixed_type(expression.function.inference.output)
    of_fields = (t.RowType, t.ArrayType, t.MapType, t.NullType, t.VariantType)
    if is_sort_key or (data_type is not None and not isinstance(data_type, of_fields)):
        raise make_attribute_error(name, f"Expressions have no member {name!r}.{advise_on_expression(name, cls)}")


def advise_on_method(expression: Any, name: str) -> str:
    """Return a suggestion for an unknown method of a fluent expression, as ``advise`` does."""
    advice = advise_on_expression(name, type(expression))
    of = misused_members.receiver(expression)
    # The first column of an example stands for the expression.
    return re.sub(r"(?<= Write )(~?)col\('\w+'\)(?=\.)", lambda at: at[1] + of, advice) if of != "…" else advice


def advise_on_expression(name: str, cls: type) -> str:
    """Return a suggestion, after a space, for an unknown member of expressions, as ``advise`` does.

    Args:
        name: the unknown name.
        cls: the class of fluent expressions.
    """
    if name in ("start", "end"):
        return f" {name} is a property of a group window, which only the alias of one has, in select after window(…)."
    if name not in foreign_members.FOREIGN_MEMBERS[foreign_members.EXPRESSION]:
        function = _advise_on_function(name)
        if function:
            return function
    return advise(foreign_members.EXPRESSION, name, public_members(cls))


def _advise_on_function(name: str) -> str:
    """Return how to call the built-in function of a name; an empty string if there is none."""
    definition = builtins.BUILT_INS.find(name)
    if definition is None:
        return ""
    for form in definition.documentation.fluent:
        if form.kind is definitions.Fluent.FUNCTION:
            return f" Write {form.name}(…), a function of tableapi.expressions."
        return f" Write col('a').{form.name}{'' if form.kind is definitions.Fluent.PROPERTY else '(…)'}."
    return f" Write call({name!r}, …)." if definition.sql_name.isidentifier() else ""


def advise_on_name_in_module(module: str, name: str, names: Collection[str], members_of: type | None = None) -> str:
    """Return a suggestion for an unknown name in a module, as ``advise`` does.

    Args:
        module: the name of the module.
        name: the unknown name.
        names: the names in the module.
        members_of: a class whose members the name may refer to.
    """
    if name not in foreign_members.FOREIGN_MEMBERS.get(module, {}):
        if members_of is not None:
            if isinstance(getattr(members_of, name, None), property):
                return f" It is a property of expressions: write col('a').{name}."
            if hasattr(members_of, name):
                return f" It is a method of expressions: write col('a').{name}(…)."
        for other in _MODULES_OF_USERS:
            if other != module and name in load(other).__all__:
                return f" Write: from {other} import {name}"
        if module == foreign_members.EXPRESSIONS_MODULE and (function := _advise_on_function(name)):
            return function
    return advise(module, name, names)


def raise_no_name(module: str, name: str, names: Collection[str], members_of: type | None = None) -> NoReturn:
    """Raise the error about an unknown name in a module; call it from the module's ``__getattr__``.

    The arguments are the same as of ``advise_on_name_in_module``.

    Raises:
        ImportError: the name is used in an import, where Python would replace an AttributeError by its own message.
        AttributeError: the name is used as an attribute.
    """
    advice = "" if name.startswith("_") else advise_on_name_in_module(module, name, names, members_of)
    if _imports_name(sys._getframe(2)):
        message = f"cannot import name {name!r} from {module!r}" + (advice and f".{advice}")
        raise ImportError(message_texts.readable(message), name=module)
    raise make_attribute_error(name, f"module {module!r} has no attribute {name!r}" + (advice and f".{advice}"))


def names_on_request(
    module: str,
    places: Mapping[str, str],
    modules: Collection[str] = (),
    refused: Callable[[str], Any] | None = None,
    members_of: type | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a module that loads names from other modules (PEP 562).

    Args:
        module: the name of the module.
        places: the module of each name.
        modules: submodules of a package that are available as attributes without an import.
        refused: returns the substitute for a name that only PyFlink has, None for any other name.
        members_of: a class whose members an unknown name may refer to.
    """

    def get(name: str) -> Any:
        if name in modules:
            return load(f"{module}.{name}")
        if name not in places:
            if refused is not None and not name.startswith("_") and (found := refused(name)) is not None:
                return found
            if name[:2] == "__":
                # Python itself asks every module for such names: ``__path__`` at each import from it.
                raise AttributeError(f"module {module!r} has no attribute {name!r}")
            valid = getattr(sys.modules[module], "__all__", names())
            raise_no_name(module, name, valid, members_of)
        try:
            found = getattr(load(places[name]), name)
        except ImportError as error:
            # The module may need a package of an extra.
            raise packages.name_extra(error, name) from None
        setattr(sys.modules[module], name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *places, *modules})

    return get, names


def _imports_name(frame: FrameType) -> bool:
    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == dis.opmap["IMPORT_FROM"]


class AdvisesOnMembers:
    """A base class whose error about an unknown member suggests a replacement."""

    __slots__ = ()
    _receiver: ClassVar[str] = ""
    """The name of the class in ``foreign_members``."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            reraise_of_property(self, name)
            raise _make_member_error(type(self), self._receiver, name)


class AdvisesOnMembersOfClass(type):
    """A metaclass whose error about an unknown member suggests a replacement."""

    _receiver: str = ""

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            raise _make_member_error(cls, cls._receiver, name)


def _make_member_error(cls: type, receiver: str, name: str) -> AttributeError:
    if name.startswith("_"):
        return make_attribute_error(name, f"{cls.__name__!r} object has no attribute {name!r}")
    members = public_members(cls)
    advice = advise(receiver, name, members)
    shown = "" if advice or len(members) > _MOST_MEMBERS else f"; it has [{listing(members, _MOST_MEMBERS)}]"
    return make_attribute_error(name, f"{cls.__name__} has no member {name!r}{shown}.{advice}")
