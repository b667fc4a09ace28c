"""Many submissions through one path: what fails is set aside with its error, the rest goes on; order is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from governance.errors import ServiceError

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Items that are still on their way with their place in the request, and the errors of those that are not."""

    items: tuple[tuple[int, T], ...]
    errors: tuple[tuple[int, ServiceError], ...] = ()

    @classmethod
    def of(cls, values: Sequence[T]) -> Batch[T]:
        return cls(tuple(enumerate(values)))

    @property
    def values(self) -> list[T]:
        return [value for _, value in self.items]

    def each(self, step: Callable[[T], U]) -> Batch[U]:
        """Apply a step to each item; a ServiceError concerns that item alone."""
        done: list[tuple[int, U]] = []
        failed = list(self.errors)
        for place, value in self.items:
            try:
                done.append((place, step(value)))
            except ServiceError as error:
                failed.append((place, error))
        return Batch(tuple(done), tuple(failed))

    def replaced(self, results: Sequence[U | ServiceError]) -> Batch[U]:
        """The batch after a step that took all values at once; one result or error for each, in order."""
        done: list[tuple[int, U]] = []
        failed = list(self.errors)
        for (place, _), result in zip(self.items, results, strict=True):
            if isinstance(result, ServiceError):
                failed.append((place, result))
            else:
                done.append((place, result))
        return Batch(tuple(done), tuple(failed))

    def outcomes(self) -> list[T | ServiceError]:
        """One value or error for each submission, in the order of the request."""
        by_place: dict[int, T | ServiceError] = dict(self.items) | dict(self.errors)
        return [by_place[place] for place in sorted(by_place)]
