"""Between comparing and storing, for what was learned and is near others: a judge is asked what each statement is to its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from governance.scopes import readable_by
from memdb.storage import memories
from memdb.storage.database import identity_of
from memdb.text.meaning import meaning_of

if TYPE_CHECKING:
    from memdb.formation.batch import Batch
    from memdb.formation.stages import Compared
    from memdb.models.memory import Memory
    from memdb.models.reconciling import Verdict
    from memdb.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Case:
    """A redacted statement, and the memories that it is near, the nearest first, as they are stored now."""

    item: Compared = field(repr=False)
    neighbours: tuple[Memory, ...] = field(repr=False)


class Judge(Protocol):
    """Says of each case whether the statement repeats or replaces one of its neighbours."""

    async def judge(self, cases: Sequence[Case]) -> list[Verdict | None]:
        """One verdict a case, None for one that nobody decided. Never raises because of a model. No transaction is open meanwhile."""
        ...


async def judged(batch: Batch[Compared], *, judge: Judge, runtime: Runtime) -> Batch[Compared]:
    """Attach verdicts. Nothing is held open while a model is asked; what it says is checked again where it is stored."""
    near = [item for item in batch.values if item.neighbours and item.claim is not None and item.replaces is None]
    if not near:
        return batch
    principal = near[0].principal
    scope = readable_by(principal, {item.brain_id: principal.max_role for item in near})
    wanted = {one.memory_id for item in near for one in item.neighbours}
    async with runtime.database.read(identity_of(principal)) as conn:
        stored = await memories.list_by_id(conn, scope, wanted, runtime.keyring)
    shown = {memory_id: row.memory for memory_id, row in stored.items() if row.intact and not row.held}
    cases = [Case(item, tuple(shown[one.memory_id] for one in item.neighbours if one.memory_id in shown)) for item in near]
    cases = [case for case in cases if case.neighbours and not _is_said_again(case)]
    verdicts = await judge.judge(cases) if cases else []
    found = {case.item.memory_id: verdict for case, verdict in zip(cases, verdicts, strict=True)}
    return batch.each(lambda item: replace(item, verdict=found.get(item.memory_id)))


def _is_said_again(case: Case) -> bool:
    """True for what is known in the same words: nobody need be asked."""
    meaning = meaning_of(case.item.content.text)
    return any(meaning_of(one.content) == meaning for one in case.neighbours)
