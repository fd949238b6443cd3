"""The changes that a deployment makes to the functions of a target.

A function carries no properties that say which project deployed it; the journal of the target does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import attrs

from grammar.full_names import MissingParts, Renamed, add_full_names, replace_names
from grammar.statement_words import words
from ir.identifiers import ObjectIdentifier, fold, fold_path, path_text, quote
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.types import LogicalType
from serializer.quoting import quote_if_needed
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage
from tableapi.catalog.statements import create_function
from tableapi.project.called_functions import stored_functions
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import DeployedFunction, DeployedView, Deployment, FunctionState
from tableapi.project.journal import Entry
from tableapi.project.objects import Key
from tableapi.project.steps import Action, Safety, Step, WantedFunction

Path = tuple[str, ...]

_BEFORE_AN_EXPRESSION = "SELECT "
# As a value, Spark takes a query of one row, too.
_BEGINNINGS_OF_QUERIES = ("select", "with")
_LONGEST = 80
"""The number of characters up to which a body is shown within a sentence."""


class FunctionPlanner:
    """Compares functions of a project with those of a target.

    Args:
        project: the name of the project.
        deployment: the target, connected.
        entries: the journal of the target, the oldest first; None if it keeps none.
        environment: the environment whose functions are planned; empty for production.
        overwrite_edited: whether functions may be replaced that somebody changed at the target.
    """

    def __init__(
        self,
        project: str,
        deployment: Deployment,
        entries: Iterable[Entry] | None,
        environment: str = "",
        *,
        overwrite_edited: bool,
    ) -> None:
        self._project = project
        self._environment = environment
        self._deployment = deployment
        self._has_journal = entries is not None
        self._overwrite_edited = overwrite_edited
        self._last: dict[str, Entry] = {}
        for entry in entries or ():
            if entry.is_change and entry.is_of_function:
                self._last[fold(entry.view)] = entry

    def steps(
        self,
        wanted: Mapping[Key, WantedFunction],
        deployed: Mapping[Key, DeployedFunction],
        gone: Mapping[Key, str] | None = None,
    ) -> list[Step]:
        """Return the steps that bring functions to a wanted state.

        Args:
            wanted: the wanted functions.
            deployed: the functions of the target.
            gone: the functions to drop, each with the reason; by default all others that this project
                deployed to the environment.

        Raises:
            ProjectError: a function at the target belongs to another project, or was changed there by hand.
        """
        problems: list[str] = []
        steps = []
        for key, function in wanted.items():
            step = self._compare(function, deployed.get(key))
            if step is None:
                continue
            if step.found is not None:
                problems += self._objections(deployed[key], "replace")
            steps.append(step)
        if gone is None:
            left = [key for key in deployed if key not in wanted and self._is_ours(deployed[key])]
            gone = dict.fromkeys(left, "The function is no longer in the project.")
        for key, reason in gone.items():
            found = deployed.get(key)
            if found is not None:
                problems += self._objections(found, "drop")
                steps.append(_drop(found, reason))
        if problems:
            raise ProjectError(
                f"The target {self._deployment.settings.name} has functions that this project may not change. Nothing "
                "was changed.\n" + "\n".join(f"  {problem}" for problem in problems)
            )
        return steps

    def _entry(self, found: DeployedFunction) -> Entry | None:
        entry = self._last.get(fold(path_text(found.identifier.parts)))
        return None if entry is None or entry.is_drop else entry

    def _is_ours(self, found: DeployedFunction) -> bool:
        entry = self._entry(found)
        return entry is not None and (entry.project, entry.environment) == (self._project, self._environment)

    def _objections(self, found: DeployedFunction, verb: str) -> Iterator[str]:
        """Yield why a function of the target may not be changed."""
        entry = self._entry(found)
        if entry is not None and entry.project != self._project:
            yield (
                f"{found.name} was deployed by the project {entry.project}. Two projects cannot have one function: "
                "remove it from one of them."
            )
        elif self._overwrite_edited:
            return
        elif not self._has_journal:
            yield (
                f"{found.name} is another function at the target, which keeps no journal that says whose it is. Give "
                f"the target journal = 'database' in tableapi.toml, or {verb} it with --overwrite-edited."
            )
        elif entry is None:
            yield f"{found.name} was not deployed by any project. {verb.capitalize()} it with --overwrite-edited."
        elif any(function_changes(found.function, _deployed_as(entry, found), found.identifier)):
            yield (
                f"{found.name} was changed at the target after it was deployed. Take the change over into the project, "
                f"or {verb} it with --overwrite-edited."
            )

    def _compare(self, wanted: WantedFunction, found: DeployedFunction | None) -> Step | None:
        if found is None:
            said = f"The function is new: {_signature(wanted.function)}."
            return self._step(Action.CREATE, wanted, None, Safety.SAFE, [said])
        changes = list(function_changes(found.function, wanted.function, found.identifier))
        if not changes:
            return None
        is_safe = _types(found.function) == _types(_declared(wanted.function, found.function))
        safety = Safety.SAFE if is_safe else Safety.CHANGES_READERS
        return self._step(Action.REPLACE, wanted, found, safety, changes)

    def _step(
        self,
        action: Action,
        wanted: WantedFunction,
        found: DeployedFunction | None,
        safety: Safety,
        said: Sequence[str],
    ) -> Step:
        path, is_new = wanted.identifier.as_serializable_string(), action is Action.CREATE
        # Spark's statement takes no NOT NULL in the types of functions.
        types = _type_text if self._deployment.catalog.is_in_spark else None
        statement = create_function(path, wanted.function, or_replace=not is_new, type_text=types)
        return Step(wanted.identifier, action, safety, tuple(said), statement, wanted, found)


def _drop(found: DeployedFunction, reason: str) -> Step:
    statement = f"DROP FUNCTION {found.identifier.as_serializable_string()}"
    return Step(found.identifier, Action.DROP, Safety.DESTRUCTIVE, (reason,), statement, None, found)


def _declared(wanted: CatalogFunction, found: CatalogFunction) -> CatalogFunction:
    """Return a function with the type that the target derived, if it declares none."""
    return attrs.evolve(wanted, returns=found.returns) if wanted.returns is None else wanted


def _types(function: CatalogFunction) -> tuple[object, ...]:
    """Return the signature of a function as its callers see it, with the types that Spark stores."""
    parameters = [(fold(p.name), _type_text(p.data_type), p.default) for p in function.parameters]
    returns = None if function.returns is None else _type_text(function.returns)
    return function.language, tuple(parameters), returns, function.is_table, function.is_aggregate


def _type_text(data_type: LogicalType) -> str:
    return data_type.as_serializable_string(Dialect.SPARK)


def _signature(function: CatalogFunction) -> str:
    if not function.parameters and function.returns is None:
        return f"{function.language.value.capitalize()} code {function.body}"
    parameters = ", ".join(f"{p.name} {p.data_type.as_summary_string()}" for p in function.parameters)
    returns = "" if function.returns is None else f" returns {function.returns.as_summary_string()}"
    return f"({parameters}){returns}"


def _deployed_as(entry: Entry, found: DeployedFunction) -> CatalogFunction:
    """Return a function as a deployment left it."""
    return FunctionState(entry.after, {}).function(str(found.identifier.database), found.identifier.name)


def function_changes(old: CatalogFunction, given: CatalogFunction, identifier: ObjectIdentifier) -> Iterator[str]:
    """Yield the differences between two functions of the same name, in sentences, without the name of their database.

    Args:
        old: the function before the change.
        given: the function after it.
        identifier: the full name of both.
    """
    new = _declared(given, old)
    database = f"{quote(str(identifier.database))}."
    own = f"{quote(str(identifier.catalog))}.{database}"
    if _types(old) != _types(new):
        yield f"The signature became {_signature(new)}; it was {_signature(old)}."
    if _plain(old.body) != _plain(new.body):
        after, before = [text.body.replace(own, "").replace(database, "").strip() for text in (new, old)]
        is_short = max(len(after), len(before)) <= _LONGEST and "\n" not in after + before
        yield f"The body became {after}; it was {before}." if is_short else "The body changed."
    if old.language is new.language and (old.comment or "") != (new.comment or ""):
        yield f"The comment became {new.comment or ''!r}; it was {old.comment or ''!r}."
    if old.is_deterministic != new.is_deterministic:
        yield f"The function is {'' if new.is_deterministic else 'not '}deterministic now."
    if old.is_inline != new.is_inline:
        yield f"Calls are {'' if new.is_inline else 'no longer '}replaced by the body."


def _plain(text: str) -> tuple[str, ...]:
    """Return the lexemes of a text without blanks and comments."""
    return tuple([token.text for token in words(text)])


def with_full_names(function: CatalogFunction, catalog: str, database: str, known: Collection[Key]) -> CatalogFunction:
    """Return a function whose text names tables with catalog and database, and functions with their database.

    Spark looks up a short name in a function's text in the database of the caller. It accepts no catalog before the
    name of a function (IDENTIFIER_TOO_MANY_NAME_PARTS).

    Args:
        function: a function whose text has names of its own database.
        catalog: the catalog of the function.
        database: the database of the function.
        known: the databases and names of all functions; any other name is that of a function of Spark.
    """
    if function.language is not FunctionLanguage.SQL:
        return function

    def table(name: Path) -> Path:
        return (catalog, database)[: 3 - len(name)] if len(name) != 2 else (catalog,)

    def called(name: Path) -> Path:
        return (database,) if len(name) == 1 and (fold(database), fold(name[0])) in known else ()

    def without_catalog(name: Path) -> Path | None:
        return name[1:] if len(name) == 3 and fold(name[0]) == fold(catalog) else None

    completed = attrs.evolve(function, body=_rewrite_body(function, lambda text: add_full_names(text, table, called)))
    return with_replaced_names(completed, lambda name: None, without_catalog)


def with_replaced_names(function: CatalogFunction, table: Renamed, called: Renamed) -> CatalogFunction:
    """Return a function whose text names other tables and functions.

    Args:
        function: a function whose text has full names.
        table: returns another name of a table or view.
        called: returns another name of a function.
    """
    if function.language is not FunctionLanguage.SQL:
        return function
    return attrs.evolve(
        function, body=_rewrite_body(function, lambda text: replace_names(text, table, called, quote_if_needed))
    )


def references_of(function: CatalogFunction, catalog: str) -> tuple[frozenset[Path], frozenset[Path]]:
    """Return the folded full names of the tables and views, and of the functions, in the text of a function.

    Args:
        function: a function whose text has full names.
        catalog: its catalog, which names of functions in the text lack.
    """
    tables: set[Path] = set()
    functions: set[Path] = set()

    def note(found: set[Path]) -> MissingParts:
        def add(name: Path) -> Path:
            found.add(fold_path((catalog, *name) if len(name) == 2 else name))
            return ()

        return add

    if function.language is FunctionLanguage.SQL:
        _rewrite_body(function, lambda text: add_full_names(text, note(tables), note(functions)))
    return frozenset(tables), frozenset(functions)


def functions_through(path: Path, called: Mapping[Path, frozenset[Path]]) -> frozenset[Path]:
    """Return a function with all that call it, directly or through others.

    Args:
        path: the folded full name of the function.
        called: the names of the functions that each function calls.
    """
    callers: dict[Path, list[Path]] = {}
    for caller, names in called.items():
        for name in names:
            callers.setdefault(name, []).append(caller)
    found, pending = {path}, [path]
    while pending:
        for caller in callers.get(pending.pop(), ()):
            if caller not in found:
                found.add(caller)
                pending.append(caller)
    return frozenset(found)


def _rewrite_body(function: CatalogFunction, rewrite: Callable[[str], str]) -> str:
    """Return the text of a function after a rewriting of queries."""
    body = function.body
    if function.is_table or fold(next(iter(words(body))).text) in _BEGINNINGS_OF_QUERIES:
        return rewrite(body)
    return rewrite(_BEFORE_AN_EXPRESSION + body).removeprefix(_BEFORE_AN_EXPRESSION)


def functions_called(operation: QueryOperation) -> frozenset[Path]:
    """Return the folded full names of the stored functions that a query calls."""
    return frozenset(fold_path(identifier.parts) for identifier in stored_functions(operation))


def names_called(view: DeployedView) -> frozenset[Path]:
    """Return the folded full names of the functions that a view calls.

    For a view that this library cannot read, these are all words of its text: each may be the last part of a name.
    """
    if view.operation is None:
        return frozenset((word,) for word in names_in(view.text))
    return functions_called(view.operation)


def names_in(text: str) -> frozenset[str]:
    """Return the folded words of a text, each of which may be a name of a function, table or view.

    >>> sorted(names_in("SELECT Net(x) FROM `Sales`.orders"))
    ['(', ')', '.', 'from', 'net', 'orders', 'sales', 'select', 'x']
    """
    return frozenset(fold(token.text.strip("`")) for token in words(text))
