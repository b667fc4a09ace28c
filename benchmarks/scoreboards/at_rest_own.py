"""What the nine edits do not try: an attacker who writes the log anew, one who waits for a genuine write, an older version of the same
memory; and what the owner may do, after which everything has to verify.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from benchmarks.scoreboards.at_rest import FACTS, PLANTED, Memories
from benchmarks.scoreboards.at_rest_log import WithEvents
from benchmarks.scoreboards.product import Refused

Verdicts = dict[str, dict[str, str]]
"""Edit -> verdict and why."""


def rechained(make: Callable[[], WithEvents], attacks: list[Any]) -> Verdicts:
    """Each edit on memories and events; then the log without the secret made as whole as it can be: places without gaps, and all links
    from the first edited place on dropped, with the events back in the queue, so that the sealer itself links them.
    """
    return {attack.name: _after(make(), attack, _write_log_anew) for attack in attacks}


def laundered(make: Callable[[], WithEvents], attacks: list[Any]) -> Verdicts:
    """The same, and then one genuine write, so that the sealer would sign what was edited; after each move the sealer is asked to go on."""
    return {attack.name: _after(make(), attack, _write_log_anew, _write_on) for attack in attacks}


def waited(make: Callable[[], Memories], attacks: list[Any]) -> Verdicts:
    """Each edit on memories alone, then a genuine write and its seal."""
    return {attack.name: _after(make(), attack, _write_on) for attack in attacks}


def _after(adapter: Any, attack: Any, *moves: Callable[[Any], str]) -> dict[str, str]:  # noqa: ANN401 - an adapter of ours and a class of the suite
    adapter.restarted = True  # a restart takes seconds and is tried in the rows of the suite
    adapter.setup()
    try:
        adapter.seed(5)
        if not adapter.verify():
            return {"verdict": "NOT EVALUABLE", "detail": f"clean store: {adapter.verify_detail}"}
        one = attack()
        one.tamper(adapter)
        said = [told for move in moves if (told := move(adapter))]
        adapter.reload()
        detected = not adapter.verify()
        word = "ACCEPTED" if not detected else "REJECTED" if adapter.detection_point == "read" else "REPORTED"
        return {"verdict": word, "detail": "; ".join([*said, adapter.verify_detail or ""])}
    finally:
        adapter.teardown()


def _write_log_anew(adapter: WithEvents) -> str:
    raw, org = adapter.raw, adapter.org.id
    places = raw.select("audit_chain", order="position", org_id=org)
    events = {row["id"] for row in raw.select("audit_events", order="id", org_id=org)}
    kept = [row for row in places if row["event_id"] in events]
    whole = next((n for n, row in enumerate(kept) if row["position"] != n + 1), max(0, len(kept) - 3))
    for row in places:
        raw.delete("audit_chain", org_id=org, position=row["position"])
    for place, row in enumerate(kept):
        if place < whole:
            raw.insert("audit_chain", row | {"position": place + 1})
        else:
            raw.rows("INSERT INTO mem.audit_pending (org_id, event_id) VALUES (%(org)s, %(event)s)", org=org, event=row["event_id"])
    return _ask_to_seal(adapter)


def _ask_to_seal(adapter: Memories) -> str:
    try:
        adapter.settle()
    except RuntimeError:
        return "the sealer refused"
    return ""


def _write_on(adapter: Memories) -> str:
    try:
        adapter.append_genuine()
    except RuntimeError:
        return "the sealer refused"
    return ""


def older_version(adapter: Memories) -> dict[str, str]:
    """A genuine former version of a memory, with its digests, over the current row and what it is found by."""
    adapter.setup()
    try:
        adapter.seed(3)
        before = adapter.read_all_raw()[0].fields
        reply = adapter.ana.ask("PATCH", f"/v1/memories/{before['id']}", {"content": "Lia eats meat"})
        if reply.status_code != 200:
            return {"verdict": "NOT EVALUABLE", "detail": f"the edit was answered {reply.status_code}"}
        adapter.settle()
        if not adapter.verify():
            return {"verdict": "NOT EVALUABLE", "detail": f"clean store: {adapter.verify_detail}"}
        adapter.overwrite(adapter.read_all_raw()[0].fields["memory"], before)
        detected = not adapter.verify()
        word = "ACCEPTED" if not detected else "REJECTED" if adapter.detection_point == "read" else "REPORTED"
        return {"verdict": word, "detail": adapter.verify_detail or ""}
    finally:
        adapter.teardown()


# ---------------------------------------------------------------------------------------------------------- what may be done
def lawful(adapter: Memories) -> dict[str, str | None]:
    """Each change that people make, one after the other in one org; what does not verify behind it, None where all does."""
    adapter.setup()
    try:
        adapter.seed(5)
        return {name: _told(adapter, change) for name, change in _CHANGES.items()}
    finally:
        adapter.teardown()


def _told(adapter: Memories, change: Callable[[Memories], object]) -> str | None:
    try:
        change(adapter)
    except (Refused, RuntimeError, KeyError, IndexError) as failed:
        return f"not done: {type(failed).__name__} {failed}"
    adapter.settle()
    return None if adapter.verify() else adapter.verify_detail or "not intact"


def _send(caller: Any, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401 - a caller, any JSON value
    reply = caller.ask(method, path, body)
    if reply.status_code >= 400:
        raise Refused(reply.status_code, str(reply.json().get("code")))
    return reply.json() if reply.content else None


def _id(adapter: Memories, place: int) -> str:
    return str(adapter.read_all_raw()[place].fields["id"])


def _hold_and_release(adapter: Memories) -> None:
    wanted = {"selection": {"ids": [_id(adapter, 1)]}}
    preview = _send(adapter.org.admin, "POST", "/v1/admin/quarantine:preview", wanted)
    action = _send(adapter.org.admin, "POST", "/v1/admin/quarantine", wanted | {"expected": preview["memories"]})
    adapter.settle()
    if not adapter.verify():
        raise RuntimeError(f"while it was held: {adapter.verify_detail}")
    _send(adapter.org.admin, "POST", f"/v1/admin/quarantine/{action['id']}:release")


def _release_held(adapter: Memories) -> None:
    held = adapter.ana.post("/v1/memories", {"content": PLANTED, "kind": "semantic"})
    if held["status"] != "held":
        raise RuntimeError("it was not held")
    _send(adapter.org.admin, "POST", f"/v1/admin/reviews/{held['id']}:release", {})


def _policy(adapter: Memories) -> None:
    _send(adapter.org.admin, "PUT", "/v1/admin/policy", {"redaction": {"actions": {"EMAIL_ADDRESS": "mask"}}})


def _forget(adapter: Memories) -> None:
    _send(adapter.ana, "POST", f"/v1/memories/{_id(adapter, 2)}:forget", {})


_CHANGES: Final[dict[str, Callable[[Memories], object]]] = {
    "edited": lambda a: _send(a.ana, "PATCH", f"/v1/memories/{_id(a, 0)}", {"content": "Lia eats meat"}),
    "tagged": lambda a: _send(a.ana, "PATCH", f"/v1/memories/{_id(a, 0)}", {"tags": ["y"]}),
    "said again": lambda a: a.ana.post("/v1/memories", {"content": FACTS[1], "kind": "semantic"}),
    "confirmed": lambda a: _send(a.ana, "POST", f"/v1/memories/{_id(a, 1)}:confirm", {}),
    "held and released": _hold_and_release,
    "released by a reviewer": _release_held,
    "policy set": _policy,
    "deleted": lambda a: _send(a.ana, "DELETE", f"/v1/memories/{_id(a, 3)}"),
    "forgotten": _forget,
    "server restarted": lambda a: a.product.restart(),
}


def window(adapter: Memories) -> dict[str, object]:
    """How long a write can be cut off unseen while a server runs: from its reply until the exported head tells of it."""
    adapter.setup()
    try:
        adapter.seed(1)
        adapter.ana.post("/v1/memories", {"content": FACTS[1], "kind": "semantic"})
        written, behind = time.perf_counter(), []
        while True:
            said = adapter.product.run("audit", "verify", "--org", adapter.org.name, "--json")
            behind.append(said.json()[0]["unexported"])
            if behind[-1] == 0 or len(behind) > 600:
                return {"events": max(behind), "seconds": round(time.perf_counter() - written, 1)}
            time.sleep(0.1)
    finally:
        adapter.teardown()
