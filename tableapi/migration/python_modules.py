"""Write imported views as Python: a module a database, whose functions build the trees and import each other."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs

from ir.errors import TableException, ValidationException
from ir.identifiers import ObjectIdentifier, fold, path_text
from tableapi.lazy import lazy
from tableapi.migration.folder import write_file
from tableapi.migration.records import Form
from tableapi.migration.sources import failure_of
from tableapi.migration.staging import Stage, Staged
from tableapi.migration.view_files import schema_mode, stored_properties
from tableapi.project.objects import Key, key_of
from tableapi.project.project import ProjectView
from tableapi.table import query_of

if TYPE_CHECKING:
    from tableapi.python_code import code, python_names, script, suggestions
else:
    code = lazy(__name__, "tableapi.python_code.code")
    python_names = lazy(__name__, "tableapi.python_code.python_names")
    script = lazy(__name__, "tableapi.python_code.script")
    suggestions = lazy(__name__, "tableapi.python_code.suggestions")

_LINE: Final = 100
_INDENT: Final = 4
_ENVIRONMENT: Final = "te"
PACKAGE: Final = "views"
"""The folder of the modules."""
_OWN_IMPORTS: Final = (("Table", "tableapi"), ("TableEnvironment", "tableapi"), ("view", "tableapi"))
# Modules from whose names generated code chooses.
_IMPORTED: Final = ("tableapi", "tableapi.expressions")


@attrs.frozen
class PythonForms:
    """The modules of imported views.

    Attributes:
        files: the contents of the modules by their paths in the folder.
        modules: the path of the module of each view that is a function.
        notes: why a view is not a function.
    """

    files: Mapping[str, bytes] = MappingProxyType({})
    modules: Mapping[Key, str] = MappingProxyType({})
    notes: Mapping[Key, tuple[str, ...]] = MappingProxyType({})


@attrs.frozen(eq=False)
class _Function:
    """A view as a function of a module.

    Attributes:
        name: the name of the function.
        module: the name of the module.
        staged: the view.
        view: the view in the project of the stage.
    """

    name: str
    module: str
    staged: Staged
    view: ProjectView


def write_modules(stage: Stage) -> PythonForms:
    """Return the modules of the views of a stage, tried in its project.

    A view that no function can build stays a file of SQL, with a note that says why.
    """
    return _Modules(stage).write()


class _Modules:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._project = stage.project()
        self._notes: dict[Key, tuple[str, ...]] = {}
        self._functions: dict[Key, _Function] = {}
        self._reached: dict[str, frozenset[str]] = {}

    def write(self) -> PythonForms:
        self._choose()
        while True:
            texts = {key: text for key, function in self._functions.items() if (text := self._text(function))}
            if texts.keys() == self._functions.keys():
                files = self._files(texts)
                refused = self._try(files)
                if not refused:
                    break
                for key, reason in refused.items():
                    self._leave(key, reason)
                    del texts[key]
            # What would read a view by its function reads it by its name now.
            self._functions = {key: function for key, function in self._functions.items() if key in texts}
        modules = {key: _file(function.module) for key, function in self._functions.items()}
        return PythonForms(files, modules, self._notes)

    def _leave(self, key: Key, reason: str) -> None:
        self._notes[key] = (f"It stays SQL, because no Python function declares it as it is: {reason}",)

    # --- which views become functions --------------------------------------------------------------------------------

    def _choose(self) -> None:
        """Choose the names of functions and modules."""
        built = {key_of(view.identifier): view for view in self._project.views().values()}
        imported = {name for module in _IMPORTED for name in code.list_importable_names(module)}
        # A module imports functions of others, so that names are unique in all of them.
        taken = {_ENVIRONMENT, "dt", *imported}
        for key, staged in sorted(self._stage.staged.items()):
            if staged.form is Form.TEXT or key not in built:
                continue
            reason = _undeclarable(self._stage, staged)
            if reason:
                self._leave(key, reason)
                continue
            module = _module(staged.view.database)
            name = python_names.identifier(staged.view.name)
            if name in taken:
                name = suggestions.unique_name(f"{staged.view.database}_{name}", taken)
            taken.add(name)
            self._functions[key] = _Function(name, module, staged, built[key])
        self._reached = _reached_modules(self._functions)

    def _function_of(self, reader: _Function, identifier: ObjectIdentifier) -> tuple[str, str] | None:
        """Return the function by which a view reads another one; None if it reads it by its name."""
        found = self._functions.get(key_of(identifier))
        if found is None or fold(str(identifier.catalog)) != fold(self._project.catalog.name):
            return None
        if found.module != reader.module and reader.module in self._reached[found.module]:
            # The two modules would import each other.
            return None
        return found.name, found.module

    # --- texts -------------------------------------------------------------------------------------------------------

    def _text(self, function: _Function) -> tuple[str, frozenset[tuple[str, str]]] | None:
        """Return the function of a view, and what it imports."""
        path = path_text(function.view.identifier.parts)
        query = query_of(self._project.environment.from_view_definition(path))
        reserved = {other.name for other in self._functions.values()}
        try:
            made = script.query_code(
                query,
                _ENVIRONMENT,
                None,
                _LINE - _INDENT,
                reserved={*reserved, *[name for name, _ in _OWN_IMPORTS]},
                view_functions=lambda identifier: self._function_of(function, identifier),
            )
        except (TableException, ValidationException) as error:
            self._leave(key_of(function.view.identifier), failure_of(error).reason)
            return None
        head = [_decorator(function), f"def {function.name}({_ENVIRONMENT}: TableEnvironment) -> Table:"]
        body = _indented("\n".join(made.statements))
        return "\n".join([*head, body]), made.imports

    def _files(self, texts: Mapping[Key, tuple[str, frozenset[tuple[str, str]]]]) -> dict[str, bytes]:
        """Return the modules; a function is below those that it reads, as a reader expects it."""
        files = {}
        by_module: dict[str, list[Key]] = {}
        for key in self._stage.order():
            if key in texts:
                by_module.setdefault(self._functions[key].module, []).append(key)
        for module, keys in sorted(by_module.items()):
            imports = {(name, of) for key in keys for name, of in texts[key][1] if of != module} | set(_OWN_IMPORTS)
            own = {pair for pair in imports if pair[1].startswith(f"{PACKAGE}.")}
            database = self._functions[keys[0]].staged.view.database
            parts = [
                f'"""The views of the database {_literal(database)[1:-1]}."""\n\n',
                script.import_lines(imports - own, _LINE),
                script.import_lines(own, _LINE),
                "\n" + "\n\n".join(f"{texts[key][0]}\n" for key in keys),
            ]
            files[_file(module)] = "".join(parts).encode()
        return files

    def _try(self, files: Mapping[str, bytes]) -> dict[Key, str]:
        """Return the views that the modules do not reproduce exactly, each with the reason."""
        root = self._stage.root
        for path, content in files.items():
            write_file(root / path, content)
        self._stage.hide(self._functions)
        try:
            project = self._stage.project()
            built = {key_of(view.identifier): view for view in project.views().values()}
            problems = {project.catalog.key(p.subject): p.message for p in project.problems if "/" not in p.subject}
        finally:
            self._stage.hide(())
            for path in files:
                (root / path).unlink()
        refused = {}
        for key, function in self._functions.items():
            if key not in built:
                refused[key] = failure_of(problems.get(key, "it cannot be built.")).reason.partition("\n")[0]
            elif not self._stage.is_same(function.staged.view, built[key]):
                refused[key] = "the function builds another tree."
        return refused


def _undeclarable(stage: Stage, staged: Staged) -> str:
    """Return why the declaration of a function cannot say what a view has; empty if it can."""
    view = staged.view
    if view.storage is not None:
        return f"it is a {view.storage.kind.value} of a pipeline."
    if schema_mode(view.definition) is not None:
        return f"it has WITH SCHEMA {schema_mode(view.definition)}."
    settings = stage.settings_of(view)
    if settings:
        return f"it is read with {', '.join(f'{name} = {value}' for name, value in sorted(settings.items()))}."
    return ""


def _reached_modules(functions: Mapping[Key, _Function]) -> dict[str, frozenset[str]]:
    """Return the modules that each module needs, directly or by another one."""
    direct: dict[str, set[str]] = {function.module: set() for function in functions.values()}
    for function in functions.values():
        for identifier in function.view.own_reads:
            found = functions.get(key_of(identifier))
            if found is not None and found.module != function.module:
                direct[function.module].add(found.module)
    reached = {}
    for module in direct:
        found_modules: set[str] = set()
        left = [module]
        while left:
            for other in direct[left.pop()] - found_modules:
                found_modules.add(other)
                left.append(other)
        reached[module] = frozenset(found_modules)
    return reached


def _decorator(function: _Function) -> str:
    """Return the call of ``view`` above a function."""
    definition = function.staged.view.definition
    properties = stored_properties(definition)
    owner = properties.pop("owner", None)
    view = function.staged.view
    comments = {c.name: c.comment for c in function.view.view.schema.columns if c.comment is not None}
    arguments = [_literal(path_text((view.database, view.name)))]
    if definition.comment is not None:
        arguments.append(f"comment={_literal(definition.comment)}")
    for keyword, texts in (("columns", comments), ("properties", properties)):
        if texts:
            pairs = [f"{_literal(key)}: {_literal(value)}" for key, value in texts.items()]
            flat = f"{keyword}={{{', '.join(pairs)}}}"
            if len(flat) <= _LINE - 2 * _INDENT:
                arguments.append(flat)
            else:
                arguments.append("\n        ".join([f"{keyword}={{", *[f"{pair}," for pair in pairs]]) + "\n    }")
    if owner is not None:
        arguments.append(f"owner={_literal(owner)}")
    flat = f"@view({', '.join(arguments)})"
    if len(flat) <= _LINE and "\n" not in flat:
        return flat
    return "\n    ".join(["@view(", *[f"{argument}," for argument in arguments]]) + "\n)"


def _literal(text: str) -> str:
    """Return a string literal in the quotes that need fewer escapes, double quotes if both need as many."""
    made = repr(text)
    if made[0] == '"' or text.count('"') > text.count("'"):
        return made
    inner = made[1:-1].replace("\\'", "'").replace('"', '\\"')
    return f'"{inner}"'


def _indented(text: str) -> str:
    """Return lines with the indent of a function's body; lines that begin within a string stay as they are."""
    inside = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.STRING
        for line in range(token.start[0] + 1, token.end[0] + 1)
    }
    margin = " " * _INDENT
    lines = text.split("\n")
    return "\n".join(margin + line if line and number not in inside else line for number, line in enumerate(lines, 1))


def _module(database: str) -> str:
    return f"{PACKAGE}.{python_names.identifier(database)}"


def _file(module: str) -> str:
    return f"{module.replace('.', '/')}.py"
