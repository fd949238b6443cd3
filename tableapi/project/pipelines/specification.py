"""Reads and writes the file ``spark-pipeline.yml``, and finds what is wrong with it.

`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import did_you_mean, listing
from tableapi.lazy import lazy
from tableapi.project.configuration import ProjectError
from tableapi.project.findings import Finding

if TYPE_CHECKING:
    import yaml  # type: ignore[import-untyped]  # PyYAML ships no types
else:
    yaml = lazy(__name__, "yaml")

FILE_NAMES: Final = ("spark-pipeline.yml", "spark-pipeline.yaml")
FILE_NAME: Final = FILE_NAMES[0]
KEYS: Final = ("name", "storage", "catalog", "database", "schema", "configuration", "libraries")
# A scheme, and a path from the root.
_URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")
_MAGIC: Final = re.compile(r"[*?\[]")


@attrs.frozen
class Specification:
    """The content of ``spark-pipeline.yml``.

    Attributes:
        folder: the folder of the file.
        file: the name of the file.
        name: the name of the pipeline.
        storage: the URI of the folder of checkpoints.
        catalog: the catalog of names without one; None for that of the session.
        database: the database of names without one; None for that of the session.
        configuration: the settings of the session.
        includes: the paths of the definitions, each with its line.
    """

    folder: Path
    file: str
    name: str = ""
    storage: str = ""
    catalog: str | None = None
    database: str | None = None
    configuration: Mapping[str, str] = attrs.field(factory=dict)
    includes: tuple[tuple[str, int], ...] = ()

    def to_yaml(self) -> str:
        """Return the text of the file.

        >>> shop = Specification(Path(), FILE_NAME, "shop", "file:///s", includes=(("transformations/**", 0),))
        >>> print(shop.to_yaml())
        name: "shop"
        storage: "file:///s"
        libraries:
          - glob:
              include: "transformations/**"
        <BLANKLINE>
        """
        # A string in JSON is a string in YAML, whatever is in it.
        lines = [f"name: {json.dumps(self.name)}", f"storage: {json.dumps(self.storage)}"]
        lines += [] if self.catalog is None else [f"catalog: {json.dumps(self.catalog)}"]
        lines += [] if self.database is None else [f"database: {json.dumps(self.database)}"]
        if self.configuration:
            lines.append("configuration:")
            lines += [
                f"  {json.dumps(key)}: {json.dumps(self.configuration[key])}" for key in sorted(self.configuration)
            ]
        lines.append("libraries:")
        for include, _ in self.includes:
            lines += ["  - glob:", f"      include: {json.dumps(include)}"]
        return "\n".join(lines) + "\n"

    def definition_files(self) -> list[Path]:
        """Return the files of the definitions, in the order of the paths that include them, as Spark finds them."""
        found = []
        for include, _ in self.includes:
            pattern = include + "/*" if include.endswith("/**") else include
            there = sorted(self.folder.glob(pattern)) if pattern else []
            found += [path for path in there if path.is_file() and "__pycache__" not in path.parts]
        return found


def find_specification(folder: Path) -> Path:
    """Return the file of a pipeline's folder.

    Raises:
        ProjectError: there is no such file, or there are two.
    """
    found = [folder / name for name in FILE_NAMES if (folder / name).is_file()]
    if not found:
        raise ProjectError(
            f"There is no {FILE_NAME} in {folder}. `tableapi pipeline build` writes one for a project of views."
        )
    if len(found) > 1:
        raise ProjectError(f"{folder} has both {found[0].name} and {found[1].name}, so that Spark takes none of them.")
    return found[0]


def read_specification(path: Path) -> tuple[Specification, list[Finding]]:
    """Return the content of a file, and its errors.

    Raises:
        ProjectError: the file cannot be read, or PyYAML is not installed.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProjectError(f"{path} cannot be read: {error}.") from None
    return _Reader(path, text).specification()


class _Reader:
    """Reads one file, and notes what is wrong with its line."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text
        self._found: list[Finding] = []
        self._result = Specification(path.parent, path.name)

    def specification(self) -> tuple[Specification, list[Finding]]:
        try:
            root = yaml.compose(self._text, Loader=yaml.SafeLoader)
            value = yaml.safe_load(self._text)
        except ModuleNotFoundError:
            raise ProjectError(
                "Pipelines are read with PyYAML, which is not installed: pip install 'tableapi[cli]'."
            ) from None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or str(error)
            self._note(f"The file is not valid YAML: {problem}.", 0 if mark is None else mark.line + 1)
            return self._result, self._found
        if not isinstance(value, dict) or not isinstance(root, yaml.MappingNode):
            self._note(f"The file has keys with values: {listing(KEYS)}.", 1)
            return self._result, self._found
        lines = dict(_lines_of(root))
        self._read(value, lines, root)
        return self._result, self._found

    def _read(self, value: dict[Any, Any], lines: Mapping[str, int], root: yaml.MappingNode) -> None:
        for key in value:
            if key not in KEYS:
                hint = did_you_mean(str(key), KEYS)
                self._note(f"The file has no key {key!r}; it has {listing(KEYS)}.{hint}", lines.get(str(key), 0))
        for key in ("name", "storage"):
            if key not in value:
                self._note(f"The key {key!r} is missing: Spark requires name and storage.", 1)
        storage = value.get("storage")
        if "storage" in value and not (isinstance(storage, str) and _URI.match(storage)):
            self._note(
                f"storage is an absolute path with a URI scheme, such as file:///data/{self._path.parent.name or 'p'} "
                f"or s3a://bucket/checkpoints, but is {storage!r}.",
                lines["storage"],
            )
        configuration = value.get("configuration", {})
        if not isinstance(configuration, dict):
            self._note(f"configuration maps keys to texts, but is {configuration!r}.", lines["configuration"])
            configuration = {}
        of_settings = _lines_below(root, "configuration")
        for key, setting in configuration.items():
            if not isinstance(setting, str):
                shown = str(setting).lower() if isinstance(setting, bool) else setting
                self._note(
                    f"The value of {key} is a text in quotes, such as '{shown}', but is {setting!r}.",
                    of_settings.get(str(key), lines["configuration"]),
                )
        database = value.get("database", value.get("schema"))
        if "database" in value and "schema" in value and value["database"] != value["schema"]:
            self._note(
                "database and schema are two words for one thing: Spark takes database.", lines["schema"], error=False
            )
        self._result = Specification(
            self._path.parent,
            self._path.name,
            str(value.get("name", "")),
            str(storage or ""),
            _text(value.get("catalog")),
            _text(database),
            {str(key): str(setting) for key, setting in configuration.items()},
            tuple(self._includes(value.get("libraries", []), lines.get("libraries", 1), root)),
        )

    def _includes(self, libraries: object, line: int, root: yaml.MappingNode) -> Iterator[tuple[str, int]]:
        if not isinstance(libraries, list):
            self._note("libraries is a list of entries `- glob: {include: path}`.", line)
            return
        node = next((item for key, item in root.value if key.value == "libraries"), None)
        nodes = node.value if isinstance(node, yaml.SequenceNode) else []
        for entry, its_node in zip(libraries, nodes, strict=False):
            where = its_node.start_mark.line + 1
            glob = entry.get("glob") if isinstance(entry, dict) else None
            include = glob.get("include") if isinstance(glob, dict) else None
            if not isinstance(include, str):
                given = json.dumps(entry, default=str)
                self._note(f"An entry of libraries is `glob: {{include: path}}`, but this one is {given}.", where)
                continue
            prefix = include[:-3] if include.endswith("/**") else include
            if _MAGIC.search(prefix):
                self._note(
                    f"{include} is no path that Spark takes: write a file, or a folder that ends with /**, such as "
                    "transformations/**.",
                    where,
                )
                continue
            if include.startswith("/"):
                self._note(f"{include} is absolute; paths are relative to the folder of {self._path.name}.", where)
                continue
            if not self._has_files(include):
                kind = "is a folder: write" if (self._path.parent / include).is_dir() else "matches no file:"
                instead = f"{include.rstrip('/')}/**" if kind.startswith("is") else "nothing is defined there"
                self._note(f"{include} {kind} {instead}.", where)
            yield include, where

    def _has_files(self, include: str) -> bool:
        return bool(attrs.evolve(self._result, includes=((include, 0),)).definition_files())

    def _note(self, message: str, line: int, *, error: bool = True) -> None:
        self._found.append(Finding(self._path.name, message, self._path.name, line, is_error=error))


def _lines_of(node: yaml.MappingNode) -> Iterator[tuple[str, int]]:
    for key, _ in node.value:
        yield str(key.value), key.start_mark.line + 1


def _lines_below(root: yaml.MappingNode, name: str) -> dict[str, int]:
    found = next((value for key, value in root.value if key.value == name), None)
    return dict(_lines_of(found)) if isinstance(found, yaml.MappingNode) else {}


def _text(given: object) -> str | None:
    return None if given is None else str(given)
