"""Resolve names to functions: temporary or permanent, of the system or of a catalog (FLIP-57).

Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-57%3A+Rework+FunctionCatalog
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir import light_attrs as attrs
from ir.call_expressions import SchemaUnknown
from ir.errors import (
    FunctionAlreadyExistException,
    FunctionNotExistException,
    ValidationException,
    did_you_mean,
)
from ir.expressions import ResolvedExpression
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.identifiers import FunctionIdentifier, NameMap, fold, fold_path, parse_path
from ir.light_typing import TYPE_CHECKING, Any
from ir.resolution.lookup import (
    RESERVED_DATABASES,
    FunctionName,
    find_built_in,
    make_unknown_function_error,
    name_in_session,
)
from tableapi.catalog.manager import CatalogManager
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.catalog import functions
    from tableapi.catalog.catalog import Catalog
    from tableapi.catalog.functions import CatalogFunction
else:
    functions = lazy(__name__, "tableapi.catalog.functions")

_SYSTEM = "system"
_Key = tuple[str, ...]


@attrs.frozen(eq=False, repr=False)
class TemporaryFunction(attrs.Slotted):
    """A function that has a name as long as the environment lives."""

    identifier: FunctionIdentifier
    definition: FunctionDefinition


_SYSTEM_HAS = " There is a temporary system function {!r}: DROP TEMPORARY SYSTEM FUNCTION drops it."


class FunctionCatalog:
    """The functions of an environment.

    A name alone means a temporary system function, else a built-in, else a temporary function of the current database,
    else a function of that database. A path means a temporary function of its catalog and database, else one stored
    there. Names are found in any case.

    Args:
        manager: the catalogs, and what the current ones are.
        load: returns the definition of a stored function.
        constant: returns the constant that an expression over no columns is; without it, none is known.
    """

    def __init__(
        self,
        manager: CatalogManager,
        load: Callable[[FunctionIdentifier, CatalogFunction], FunctionDefinition],
        constant: Callable[[ResolvedExpression], ResolvedExpression] = SchemaUnknown.refuse,
    ) -> None:
        self._manager = manager
        self._load = load
        self.constant = constant
        self._temporary_system: NameMap[TemporaryFunction] = NameMap()
        self._temporary: dict[_Key, TemporaryFunction] = {}
        # A stored function is one object for as long as what is stored stays the same.
        self._loaded: dict[_Key, tuple[CatalogFunction, FunctionDefinition]] = {}

    # --- finding -----------------------------------------------------------------------------------------------------

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the function of a name.

        Raises:
            FunctionNotExistException: no function has the name; the message suggests the nearest name.
        """
        if isinstance(name, str):
            found = self._find_by_name(name)
        else:
            found = (
                find_built_in(name)
                or self._find_in_session(name)
                or self._find_by_path(name)
                or self._current_of_session(name)
            )
        if found is None:
            raise self.missing(name)
        return found

    def missing(self, name: FunctionName) -> FunctionNotExistException:
        """Return the error about a name that means no function; it suggests the nearest."""
        if not isinstance(name, str) and len(name) == 1:
            name = name[0]
        parts = (name,) if isinstance(name, str) else name
        return self._foreign(self._key(parts)) or make_unknown_function_error(name, self._find_similar_names(name))

    def _foreign(self, key: _Key) -> FunctionNotExistException | None:
        """Return the error about a function that a catalog lists and that is nothing to call here."""
        catalog = self._catalog(key)
        if catalog is None or key[2] not in map(fold, catalog.list_functions(key[1])):
            return None
        return FunctionNotExistException(
            f"The function {self._spell(key)} is of Java or Scala, so that Spark alone calls it: write that query with "
            "env.spark.sql, and make a table of its DataFrame with env.from_spark."
        )

    def permanent(self) -> PermanentFunctions:
        """Return the lookup for the text of a stored view, which hides temporary functions."""
        return PermanentFunctions(self)

    def find_permanent(self, name: FunctionName, namespace: tuple[str, ...] = ()) -> FunctionDefinition:
        """Return the function that a name means if temporary functions are hidden.

        Args:
            name: the name.
            namespace: the catalog and the database of names without them; by default the current ones.

        Raises:
            FunctionNotExistException: no function has the name.
        """
        found = BUILT_INS.find_in_sql(name) if isinstance(name, str) else find_built_in(name)
        if found is None:
            parts = (name,) if isinstance(name, str) else name
            catalog, database = namespace or (self._manager.current_catalog, None)
            key = self._key(parts, catalog, database)
            found = self._find_stored(key) or find_built_in(name)
            if found is None:
                raise self._foreign(key) or make_unknown_function_error(name, BUILT_INS.names())
        return found

    def _find_by_name(self, name: str) -> FunctionDefinition | None:
        temporary = self._temporary_system.get(name)
        if temporary is not None:
            return temporary.definition
        # The names that definitions have, such as ``plus``, are no names in SQL, and are free for people.
        return BUILT_INS.find_in_sql(name) or self._find_by_path((name,)) or BUILT_INS.find(name)

    def _find_in_session(self, parts: tuple[str, ...]) -> FunctionDefinition | None:
        """Return the temporary system function of a name in Spark's session namespace."""
        name = name_in_session(parts)
        found = None if name is None else self._temporary_system.get(name)
        return None if found is None else found.definition

    def _current_of_session(self, parts: tuple[str, ...]) -> FunctionDefinition | None:
        """Return the temporary function of the current database of a name in Spark's session namespace.

        To Spark, CREATE TEMPORARY FUNCTION makes a function of the session.
        """
        name = name_in_session(parts)
        found = None if name is None else self._temporary.get(self._key((name,)))
        return None if found is None else found.definition

    def _find_by_path(self, parts: tuple[str, ...]) -> FunctionDefinition | None:
        key = self._key(parts)
        temporary = self._temporary.get(key)
        return self._find_stored(key) if temporary is None else temporary.definition

    def _find_stored(self, key: _Key) -> FunctionDefinition | None:
        found = self._catalog_function(key)
        if found is None:
            self._loaded.pop(key, None)
            return None
        known = self._loaded.get(key)
        if known is None or not _is_same(known[0], found):
            known = self._loaded[key] = found, self._load(FunctionIdentifier(self._qualify(key)), found)
        return known[1]

    def _catalog_function(self, key: _Key) -> CatalogFunction | None:
        catalog = self._catalog(key)
        return None if catalog is None else catalog.get_function(key[1], key[2])

    def _catalog(self, key: _Key) -> Catalog | None:
        """Return the catalog of a name, None where it has no such database."""
        if not self._manager.has_catalog(key[0]):
            return None
        catalog = self._manager.catalog(key[0])
        return catalog if catalog.database_exists(key[1]) else None

    def _key(self, parts: tuple[str, ...], catalog: str | None = None, database: str | None = None) -> _Key:
        """Return the full name by which functions of catalogs are kept and found, all of it folded."""
        return fold_path(self._complete(parts, catalog, database))

    def _qualify(self, parts: tuple[str, ...]) -> _Key:
        """Return the full name of a function: its catalog and its database as these are spelt, its own name folded.

        A temporary function may be in a database that does not exist, or that is in a catalog not opened yet.
        """
        catalog, database, name = self._complete(parts)
        opened = self._manager.opened(catalog)
        database = database if opened is None else opened.spell_database(database)
        return self._manager.spelled_catalog(catalog), database, fold(name)

    def _spell(self, key: _Key) -> str:
        return ".".join(self._qualify(key))

    def _catalog_with(self, path: _Key) -> Catalog:
        """Return the catalog of a full name, which has the database."""
        return self._manager.require_database(path[0], path[1])

    def _complete(self, parts: tuple[str, ...], catalog: str | None = None, database: str | None = None) -> _Key:
        """Return the full name that a name means."""
        if len(parts) > 3:
            raise ValidationException(f"The name {'.'.join(parts)!r} of a function has more than three parts.")
        catalog = parts[0] if len(parts) > 2 else catalog or self._manager.current_catalog
        if len(parts) > 1:
            database = parts[-2]
        elif database is None:
            database = self._manager.current_database
        return catalog, database, parts[-1]

    def _find_similar_names(self, name: FunctionName) -> list[str]:
        if isinstance(name, str):
            return BUILT_INS.names() + self.list_user_defined_functions()
        key = self._key(name)
        if name_in_session(name) is not None:
            ours = [known for *namespace, known in self._temporary if tuple(namespace) == self._key(("",))[:2]]
            return [".".join((*name[:-1], known)) for known in (*self._temporary_system, *ours)]
        return [".".join((*name[:-1], known)) for known in self._list_names(key)]

    def _list_names(self, key: _Key) -> list[str]:
        """Return the names of the functions of the database that a key names, the temporary ones too."""
        catalog = self._catalog(key)
        names = [] if catalog is None else catalog.list_functions(key[1])
        return [*names, *[name for *namespace, name in self._temporary if tuple(namespace) == key[:2]]]

    # --- temporary functions -----------------------------------------------------------------------------------------

    def create_temporary_system_function(
        self,
        name: str,
        make: Callable[[FunctionIdentifier], FunctionDefinition],
        *,
        if_not_exists: bool = False,
        or_replace: bool = False,
    ) -> None:
        """Give a function a name that no namespace holds, before any built-in of that name.

        Raises:
            FunctionAlreadyExistException: another temporary system function has it.
            ValidationException: the name has several parts, or the function is wrong.
        """
        parts = _parts(name)
        if len(parts) > 1:
            raise ValidationException(
                f"A temporary system function has no database, and the name {name!r} has one. Use {parts[-1]!r}, or "
                "create_temporary_function."
            )
        if parts[0] in self._temporary_system and not or_replace:
            if if_not_exists:
                return
            raise FunctionAlreadyExistException(
                f"Could not register temporary system function. A function named {parts[0]!r} does already exist. "
                f"Drop it first with drop_temporary_system_function({parts[0]!r})."
            )
        identifier = FunctionIdentifier(parts)
        self._temporary_system[parts[0]] = TemporaryFunction(identifier, make(identifier))

    def drop_temporary_system_function(self, name: str) -> bool:
        """Remove a temporary system function; return False if there is none."""
        parts = _parts(name)
        return len(parts) == 1 and self._temporary_system.pop(parts[0]) is not None

    def create_temporary_function(
        self,
        path: str,
        make: Callable[[FunctionIdentifier], FunctionDefinition],
        *,
        if_not_exists: bool = False,
        or_replace: bool = False,
    ) -> None:
        """Give a function a name in a database, before any function stored there; neither has to exist.

        Raises:
            FunctionAlreadyExistException: another temporary function has it.
            ValidationException: the path is malformed, or the function is wrong.
        """
        key = self._key(_parts(path))
        if key in self._temporary and not or_replace:
            if if_not_exists:
                return
            raise FunctionAlreadyExistException(
                f"Could not register temporary catalog function. A function {self._spell(key)!r} does already exist. "
                f"Drop it first with drop_temporary_function({path!r})."
            )
        _refuse_reserved(key)
        identifier = FunctionIdentifier(self._qualify(_parts(path)))
        self._temporary[key] = TemporaryFunction(identifier, make(identifier))

    def drop_temporary_function(self, path: str) -> bool:
        """Remove a temporary function of a database; return False if there is none."""
        return self._temporary.pop(self._key(_parts(path)), None) is not None

    def temporary(self, path: str) -> TemporaryFunction | None:
        """Return the temporary function of a database that a path means, or None."""
        return self._temporary.get(self._key(_parts(path)))

    def is_temporary(self, definition: FunctionDefinition) -> bool:
        """Whether a function is one of the temporary ones."""
        every = (*self._temporary_system.values(), *self._temporary.values())
        return any(function.definition is definition for function in every)

    def hiding_names(self) -> frozenset[str]:
        """Return the folded names that mean temporary system functions, and not the built-in ones of these names."""
        return frozenset(map(fold, self._temporary_system))

    def temporary_system(self, name: str) -> TemporaryFunction | None:
        """Return the temporary system function of a name, or None."""
        return self._temporary_system.get(name)

    # --- stored functions --------------------------------------------------------------------------------------------

    def create_function(
        self, path: str, function: CatalogFunction, *, ignore_if_exists: bool = False, or_replace: bool = False
    ) -> None:
        """Store a function in a catalog.

        Raises:
            FunctionAlreadyExistException: there is one of this name, temporary or stored, and no option allows it.
            CatalogNotExistException: the catalog does not exist.
            DatabaseNotExistException: the catalog has no such database.
            ValidationException: the path is malformed, or the catalog cannot hold the name.
        """
        if self.may_create(path, ignore_if_exists=ignore_if_exists, or_replace=or_replace):
            _, database, name = spelled = self._qualify(_parts(path))
            self._catalog_with(spelled).create_function(database, name, function, or_replace=or_replace)

    def may_create(self, path: str, *, ignore_if_exists: bool = False, or_replace: bool = False) -> bool:
        """Whether a function has to be stored under a path; False if an existing function is kept.

        Raises:
            FunctionAlreadyExistException: there is one of this name, temporary or stored, and no option allows it.
            CatalogNotExistException: the catalog does not exist.
            DatabaseNotExistException: the catalog has no such database.
            ValidationException: the path is malformed.
        """
        key = self._key(_parts(path))
        if key in self._temporary:
            if ignore_if_exists:
                return False
            raise FunctionAlreadyExistException(_describe_shadowing("register", self._spell(key)))
        _refuse_reserved(key)
        catalog = self._catalog_with(self._complete(_parts(path)))
        if or_replace or catalog.get_function(key[1], key[2]) is None:
            return True
        if ignore_if_exists:
            return False
        raise FunctionAlreadyExistException(
            f"Could not register catalog function. A function {self._spell(key)!r} does already exist. Pass "
            "or_replace=True to replace it."
        )

    def alter_function(self, path: str, function: CatalogFunction, *, if_exists: bool = False) -> None:
        """Replace a catalog function.

        Raises:
            FunctionNotExistException: there is no such function, and ``if_exists`` is False.
        """
        key = self._key(_parts(path))
        catalog = self._catalog(key)
        if catalog is None or catalog.get_function(key[1], key[2]) is None:
            if if_exists:
                return
            raise self._missing("alter", key)
        catalog.alter_function(key[1], key[2], function)

    def drop_function(self, path: str, *, if_exists: bool = True) -> bool:
        """Remove a catalog function; return False if there is none.

        Raises:
            ValidationException: a temporary function hides the catalog function.
            FunctionNotExistException: there is no such function, and ``if_exists`` is False.
        """
        key = self._key(_parts(path))
        if key in self._temporary:
            raise ValidationException(_describe_shadowing("drop", self._spell(key)))
        catalog = self._catalog(key)
        if catalog is None or catalog.get_function(key[1], key[2]) is None:
            if if_exists:
                return False
            raise self._missing("drop", key)
        catalog.drop_function(key[1], key[2])
        self._loaded.pop(key, None)
        return True

    def stored(self, path: str) -> CatalogFunction | None:
        """Return the stored function that a path means, or None. Nothing is imported."""
        return self._catalog_function(self._key(_parts(path)))

    def is_listed(self, path: str) -> bool:
        """Whether a database has a function of a name, in any language."""
        key = self._key(_parts(path))
        catalog = self._catalog(key)
        return catalog is not None and key[2] in map(fold, catalog.list_functions(key[1]))

    def is_temporary_system(self, name: str) -> bool:
        """Whether a temporary system function has a name."""
        return name in self._temporary_system

    def missing_temporary(self, path: str, *, is_system: bool) -> FunctionNotExistException:
        """Return the error about a missing temporary function that a program drops."""
        if is_system:
            (name,) = _parts(path)[-1:]
            known = [function.identifier.name for function in self._temporary_system.values()]
            said = f"Could not drop temporary system function. A function named {name!r} doesn't exist."
            other = self._key(_parts(path)) in self._temporary
            hint = f" There is a temporary function {name!r}: DROP TEMPORARY FUNCTION drops it." if other else ""
        else:
            key = self._key(_parts(path))
            name = key[2]
            known = [name for *namespace, name in self._temporary if tuple(namespace) == key[:2]]
            said = f"Temporary catalog function {self._spell(key)} doesn't exist."
            hint = _SYSTEM_HAS.format(name) if name in self._temporary_system else ""
        return FunctionNotExistException(said + (hint or did_you_mean(name, known)))

    def _missing(self, doing: str, key: _Key) -> FunctionNotExistException:
        catalog = self._catalog(key)
        known = [] if catalog is None else catalog.list_functions(key[1])
        other = ""
        if doing == "drop" and key[2] in self._temporary_system:
            other = _SYSTEM_HAS.format(key[2])
        return FunctionNotExistException(
            f"Could not {doing} catalog function. A function {self._spell(key)!r} doesn't exist."
            + (other or did_you_mean(key[2], known))
        )

    def described(self, parts: tuple[str, ...], *, extended: bool = False) -> str | None:
        """Return the description of the user-defined function that a name means, without importing it.

        None if the name means a built-in or no function.

        Args:
            parts: the name.
            extended: whether to tell all that is known.
        """
        temporary = self._temporary_system.get(parts[0]) if len(parts) == 1 else None
        if temporary is None and len(parts) == 1 and BUILT_INS.find_in_sql(parts[0]) is not None:
            return None
        if temporary is None and len(parts) > 1:
            system = name_in_session(parts)
            temporary = None if system is None else self._temporary_system.get(system)
            if temporary is None and find_built_in(parts) is not None:
                return None
        key = self._key(parts)
        temporary = temporary or self._temporary.get(key)
        if temporary is not None:
            return _temporary_described(temporary, extended)
        stored = self._catalog_function(key)
        return None if stored is None else _describe_stored(self._qualify(key), stored, extended)

    # --- listing -----------------------------------------------------------------------------------------------------

    def list_user_defined_functions(self, namespace: tuple[str, str] | None = None) -> list[str]:
        """Return the names of the user-defined functions that an unqualified name may mean, sorted.

        Args:
            namespace: the catalog and the database to use instead of the current ones.
        """
        catalog_name, database = self._key(("",))[:2] if namespace is None else fold_path(namespace)
        names = {fold(function.identifier.name) for function in self._temporary_system.values()}
        names |= {key[2] for key in self._temporary if key[:2] == (catalog_name, database)}
        catalog = self._catalog((catalog_name, database, ""))
        if catalog is not None:
            names |= {fold(name) for name in catalog.list_functions(database)}
        return sorted(names)

    def list_in_all_databases(self, catalogs: Iterable[str]) -> list[str]:
        """Return the names of temporary system functions, and the paths of all functions of databases, sorted.

        Args:
            catalogs: the catalogs whose stored functions are asked for.
        """
        names = {fold(function.identifier.name) for function in self._temporary_system.values()}
        names |= {function.identifier.as_summary_string() for function in self._temporary.values()}
        for name in catalogs:
            catalog = self._manager.catalog(name)
            for database in catalog.list_databases():
                names |= {".".join((name, database, fold(function))) for function in catalog.list_functions(database)}
        return sorted(names)

    def list_functions(self) -> list[str]:
        """Return the names of all functions that a name alone may mean, the built-in ones too, sorted."""
        return sorted({*self.list_user_defined_functions(), *(fold(name) for name in BUILT_INS.names())})

    def list_temporary_functions(self, namespace: tuple[str, str] | None = None) -> list[str]:
        """Return the paths of the temporary functions of all databases, or of one, sorted."""
        wanted = None if namespace is None else fold_path(namespace)
        found = [function for key, function in self._temporary.items() if wanted in (None, key[:2])]
        return sorted(function.identifier.as_summary_string() for function in found)

    def list_temporary_system_functions(self) -> list[str]:
        """Return the names of the temporary system functions, sorted."""
        return sorted(function.identifier.name for function in self._temporary_system.values())


class PermanentFunctions:
    """Finds functions for the text of a stored view."""

    def __init__(self, catalog: FunctionCatalog, namespace: tuple[str, ...] = ()) -> None:
        self._catalog = catalog
        self._namespace = namespace
        self.constant = catalog.constant

    def find(self, name: FunctionName) -> FunctionDefinition:
        """Return the built-in or stored function that a name means.

        Raises:
            FunctionNotExistException: no function has the name.
        """
        return self._catalog.find_permanent(name, self._namespace)

    def within(self, namespace: tuple[str, ...]) -> PermanentFunctions:
        """Return the lookup for a text whose names without a database belong to a given one."""
        return PermanentFunctions(self._catalog, namespace)


def _parts(path: str) -> tuple[str, ...]:
    if not isinstance(path, str):
        raise ValidationException(f"The name of a function is a text, but {path!r} was given.")
    return parse_path(path)


def _refuse_reserved(key: _Key) -> None:
    """Refuse a name that would be read as one of the system's own.

    Raises:
        ValidationException: the name is in ``system.builtin`` or ``system.session``.
    """
    if fold(key[0]) == _SYSTEM and fold(key[1]) in RESERVED_DATABASES:
        raise ValidationException(
            f"{'.'.join(key)!r} means a function of the system: system.builtin.f is a built-in one, system.session.f a "
            "temporary system function, made by create_temporary_system_function. Choose another database."
        )


def _describe_shadowing(doing: str, shown: str) -> str:
    return (
        f"Could not {doing} catalog function. A temporary function {shown!r} does already exist. Please drop "
        "the temporary function first."
    )


def _temporary_described(function: TemporaryFunction, extended: bool) -> str:
    definition = function.definition
    lines = [f"Function: {function.identifier.as_summary_string()}", "Type: temporary"]
    lines += [f"Usage: {s}" for s in definition.inference.inputs.signatures(definition.name)]
    if extended:
        lines += [f"Kind: {definition.kind.value}", f"Deterministic: {_format_boolean(definition.is_deterministic)}"]
        lines += [f"System function: {_format_boolean(function.identifier.is_system)}"]
    return "\n".join([*lines, definition.documentation.doc] if definition.documentation.doc else lines)


def _describe_stored(key: _Key, function: CatalogFunction, extended: bool) -> str:
    lines = [f"Function: {'.'.join(key)}", f"Language: {function.language.value}"]
    if function.language is functions.FunctionLanguage.SQL:
        parameters = ", ".join(f"{p.name} {p.data_type.as_summary_string()}" for p in function.parameters)
        lines.append(f"Usage: {key[-1]}({parameters}) RETURNS {function.returns}")
    lines.append(f"Body: {function.body}")
    if extended:
        if function.language is functions.FunctionLanguage.SQL:
            kind = "table" if function.is_table else "aggregate" if function.is_aggregate else "scalar"
            lines.append(f"Kind: {kind}{', inlined' if function.is_inline else ''}")
        for p in function.parameters:
            default = "" if p.default is None else f" DEFAULT {p.default}"
            comment = f": {p.comment}" if p.comment else ""
            lines.append(f"Parameter: {p.name} {p.data_type.as_summary_string()}{default}{comment}")
        lines += [f"Deterministic: {_format_boolean(function.is_deterministic)}", "System function: no"]
        lines += [f"Setting: {name}={value}" for name, value in sorted(function.settings.items())]
    return "\n".join([*lines, function.comment] if function.comment else lines)


def _format_boolean(said: bool) -> str:
    return "yes" if said else "no"


def _is_same(one: CatalogFunction, other: CatalogFunction) -> bool:
    return one is other or _state(one) == _state(other)


def _state(function: CatalogFunction) -> dict[str, Any]:
    return {attribute.name: getattr(function, attribute.name) for attribute in attrs.fields(functions.CatalogFunction)}
