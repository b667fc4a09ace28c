"""The policy of an org: read, set as a new version, listed."""

from __future__ import annotations

from governance.audit import DetailValue, actor_of
from governance.errors import InvalidInput, NotFound
from governance.policy.document import PolicyDocument
from governance.principals import Capability, require
from memdb.directory.authentication import Authenticated
from memdb.errors import VersionConflict
from memdb.runtime import Runtime
from memdb.storage import policies, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.database import WriteConn
from memdb.storage.policies import PolicyRow, document_digest

BRAINS_MAX = 1_000  # with rules of their own, in one policy


async def get_policy(runtime: Runtime, who: Authenticated, version: int | None = None) -> PolicyRow:
    """The newest version, or that one; version 0 is the defaults.

    Raises:
        AccessDenied: the caller has neither the capability admin nor auditor.
        NotFound: there is no such version.
    """
    require(who.principal, Capability.ADMIN, Capability.AUDITOR)
    async with runtime.database.read(who.identity) as conn:
        row = await policies.find_policy(conn, who.principal.org_id, version)
    if row is None:
        raise NotFound(f"there is no version {version} of the policy")
    return row


async def list_policies(runtime: Runtime, who: Authenticated, *, before: int | None, limit: int) -> list[PolicyRow]:
    """Versions that were set, newest first. Raises AccessDenied as `get_policy`."""
    require(who.principal, Capability.ADMIN, Capability.AUDITOR)
    async with runtime.database.read(who.identity) as conn:
        return await policies.list_policies(conn, who.principal.org_id, before=before, limit=limit)


async def set_policy(runtime: Runtime, who: Authenticated, document: PolicyDocument, expected_version: int | None) -> PolicyRow:
    """Make a document the next version. It holds for every request whose key is checked from then on; what is stored stays as it is.

    Args:
        document: all that differs from the defaults; what the former version said and this one does not is gone.
        expected_version: the version that it was made from; None replaces whatever holds.

    Raises:
        AccessDenied: the caller lacks the capability admin.
        InvalidInput: an entity type or action is unknown, a secret would not be replaced, too many brains have rules of their own, or a
            value is out of range.
        PersonalDataInIdentifier: a topic, pattern or context word holds personal data or a secret.
        NotFound: a brain or subject that the former version does not name is unknown or not readable.
        VersionConflict: the policy is not at the expected version.
    """
    require(who.principal, Capability.ADMIN)
    if len(document.brains) > BRAINS_MAX:
        raise InvalidInput(f"more than {BRAINS_MAX} brains have rules of their own", field="redaction.brains")
    check_document(runtime, document)
    now = runtime.clock.now()
    auditor = Auditor(runtime.keyring, who.principal.org_id, actor_of(who.principal), at=now, request_id=who.request_id)
    async with runtime.database.write(who.identity) as conn:
        former = await policies.find_policy(conn, who.principal.org_id)
        assert former is not None, "without a version the newest is the default"
        if expected_version is not None and expected_version != former.version:
            raise VersionConflict(f"expected_version is {expected_version}, the policy is at {former.version}; read it again")
        await _require_known(conn, who, document, former.document)
        row = PolicyRow(former.version + 1, document, now, who.principal.subject_id)
        if not await policies.insert_policy(conn, who.principal.org_id, row, who.principal.key_id):
            raise VersionConflict("the policy was set by another request at the same moment; read it again")
        digest = document_digest(document.to_json())
        detail: dict[str, DetailValue] = {
            "version": row.version,
            "actions": len(document.actions),
            "brains": len(document.brains),
            "sections": sorted(name for name, said in document.to_json().items() if any(said.values())),
        }
        await record(conn, auditor.event("policy.set", ("policy", str(row.version)), detail=detail, commitment=digest))
    return row


def check_document(runtime: Runtime, document: PolicyDocument) -> None:
    """Let a document pass that may be stored, whatever there is in the org.

    Raises:
        InvalidInput: something in it is unknown or not allowed.
        PersonalDataInIdentifier: a topic, pattern or context word holds personal data or a secret.
        RedactionUnavailable: the redactor failed.
    """
    document.check()
    for topic in document.memory.topic_half_life_days:
        runtime.redactor.check_identifier(topic, "memory.topic_half_life_days", document.redaction_rules())
    for recognizer in document.recognizers:
        path = f"redaction.recognizers.{recognizer.name}"
        # A pattern says how a number looks; one that is somebody's number would stand in every version of the policy.
        runtime.redactor.check_identifier(recognizer.pattern, f"{path}.pattern")
        for place, word in enumerate(recognizer.context):
            runtime.redactor.check_identifier(word, f"{path}.context[{place}]")


async def _require_known(conn: WriteConn, who: Authenticated, document: PolicyDocument, former: PolicyDocument) -> None:
    """What the former version named may be gone since, or out of the caller's reach."""
    held, before = document.keeping, former.keeping
    for path, brain_ids in (
        ("redaction.brains", document.brains.keys() - former.brains.keys()),
        ("legal_hold.brains", set(held.brains) - set(before.brains)),
    ):
        if not frozenset(brain_ids) <= frozenset(who.scope.brain_ids):
            raise NotFound(f"{path} names a brain that does not exist or that you may not read", field=path)
    wanted = set(held.subjects) - set(before.subjects)
    if len(await subjects.list_by_id(conn, who.principal.org_id, wanted)) < len(wanted):
        raise NotFound("legal_hold.subjects names a subject that this org does not have", field="legal_hold.subjects")
