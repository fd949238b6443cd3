"""Base classes of objects that belong to an environment and cannot be sent to another process."""

from __future__ import annotations

from ir.errors import TableException
from ir.light_typing import TYPE_CHECKING, Any, ClassVar, NoReturn
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    from typing_extensions import Self


class NotSent:
    """A base class of objects that can be neither pickled nor copied."""

    __slots__ = ()
    _instead: ClassVar[str]
    """A sentence that suggests an alternative."""

    def __reduce__(self) -> NoReturn:
        raise TableException(f"{type(self).__name__} cannot be pickled or copied. {self._instead}")


class StepOfTable(AdvisesOnMembers, NotSent):
    """A base class of immutable steps between two tables: a copy is the step itself."""

    __slots__ = ()
    _instead = "It belongs to an environment of this process. Pickle the table that comes of it, which is its query."

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
