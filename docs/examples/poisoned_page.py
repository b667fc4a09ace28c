"""A poisoned page is believed, found, quarantined with all that came of it, and purged; and a forged row is refused: against `memdb up`.

    memdb up --json                              # in one terminal; it prints url, admin_key and database_url
    export MEMDB_KEY=… MEMDB_OWNER_URL=…         # in another: the admin key, and the database_url
    python docs/examples/poisoned_page.py        # where the data directory is ./.memdb, or MEMDB_DATA_DIR says where

It makes people and brains with names of its own and puts the forged row right again, so that it can run twice.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg

URL = os.environ.get("MEMDB_URL", "http://127.0.0.1:8765")
KEY = os.environ.get("MEMDB_KEY") or sys.exit("set MEMDB_KEY to the admin key that `memdb up` printed")
OWNER_URL = os.environ.get("MEMDB_OWNER_URL") or sys.exit("set MEMDB_OWNER_URL to the database_url that `memdb up --json` printed")
RUN = "".join(secrets.choice("bcdfgklmnprstvz") for _ in range(6)).title()
PAGE = f"https://example.com/{RUN.lower()}"
LIE = f"{RUN} Logistics has moved its offices to Porto"
QUESTION = f"Where has {RUN} Logistics moved to?"
LEARNED_WITHIN_S = 120


class Api:
    """The HTTP door with one key."""

    def __init__(self, key: str) -> None:
        self._client = httpx.Client(base_url=URL, headers={"Authorization": f"Bearer {key}"}, timeout=60, trust_env=False)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._send("POST", path, json=body)

    def get(self, path: str, **query: Any) -> Any:
        return self._send("GET", path, params=query)

    def refused(self, path: str) -> dict[str, Any]:
        """The problem that the server answers with."""
        reply = self._client.get(path)
        assert reply.is_error, "this was to be refused"
        problem: dict[str, Any] = reply.json()
        return problem

    def recall(self) -> list[str]:
        """What is believed, with how far, best first."""
        found = self.post("/v1/memories/search", {"query": QUESTION, "min_score": 0.2})["evidence"]
        return [f"{one['memory']['content']} (trust: {one['memory']['trust']})" for one in found]

    def _send(self, method: str, path: str, **options: Any) -> Any:
        reply = self._client.request(method, path, **options)
        if reply.is_error:
            raise SystemExit(f"{method} {path}: {reply.text}")
        return reply.json()


def say(step: str, *lines: object) -> None:
    print(step)
    for line in lines:
        print("   ", line)


def verify() -> tuple[bool, list[str]]:
    """Whether everything that is stored is as the audit says, and what is not."""
    org = KEY.split("_")[1]
    command = [str(Path(sys.executable).with_name("memdb")), "audit", "verify", "--org", org, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - the command beside this Python
    if not done.stdout:
        raise SystemExit(done.stderr)
    (report,) = json.loads(done.stdout)
    return report["intact"], [f"{one['damage']}: {one['object_kind']} {one['object_id']}" for one in report["first"]]


# ------------------------------------------------------------------------------------------------------------------ the story
class Story:
    """Bruno, his agent, and the brains of two teams. `session` is where the page came up; `served` is what it left there to be recalled."""

    def __init__(self) -> None:
        self.admin = Api(KEY)
        bruno = self.admin.post("/v1/subjects", {"kind": "person", "name": f"Bruno {RUN}"})["id"]
        grant = {"subject_id": bruno, "max_role": "admin", "reason": "first key"}
        self.bruno = Api(self.admin.post("/v1/admin/keys", {**grant, "writer_label": "console", "trust": "member"})["key"])
        self.agent = Api(self.admin.post("/v1/admin/keys", {**grant, "writer_label": "browser", "trust": "agent"})["key"])
        self.person = {"subject_id": bruno}
        self.team = self.bruno.post("/v1/brains", {"kind": "team", "name": f"sales {RUN}"})["id"]
        self.other = self.bruno.post("/v1/brains", {"kind": "team", "name": f"billing {RUN}"})["id"]

    def poison(self) -> None:
        """The page is read, told, repeated, learned and shared."""
        source = {"kind": "web", "episode": {"external_id": PAGE}, "text": LIE}
        home = self.agent.post("/v1/memories", {"content": LIE, "kind": "semantic", "source": source})
        say("The agent keeps what a page said, in Bruno's own brain:", f"{home['status']}: {', '.join(home['reasons'])}")
        team = self.agent.post("/v1/memories", {"content": LIE, "kind": "semantic", "brain_id": self.team, "source": source})
        say("And in the brain of his team:", f"{team['status']}, believed no more than a page")
        self.session = self.agent.post("/v1/sessions", {"brain_id": self.team, "title": f"About {RUN}"})["id"]
        told = [{"role": "tool", "text": f"{PAGE} says: {LIE}."}]
        told.append({"text": f"Remember that {RUN} Logistics has moved to Porto.", "speaker": self.person})  # type: ignore[dict-item]  # JSON
        turns = self.agent.post(f"/v1/sessions/{self.session}/turns", {"turns": told})["turns"]
        learned = self._learn(turns[1]["id"])
        copy = self.bruno.post(f"/v1/memories/{learned}:share", {"brain_id": self.other})["id"]
        self.served = [team["id"], learned, copy]
        say("Bruno repeats it to the agent; it is learned from him, and he shares it with another team. Recalled:", *self.bruno.recall())

    def _learn(self, turn: str) -> str:
        """The memory that was learned from a turn, once a worker has read it."""
        self.agent.post(f"/v1/sessions/{self.session}:flush", {})
        for _ in range(LEARNED_WITHIN_S):
            if learned := self.agent.get(f"/v1/sessions/{self.session}/turns/{turn}/learned"):
                return str(learned[0]["memory_id"])
            time.sleep(1)
        raise SystemExit("nothing was learned: is it `memdb up` that runs, or a worker beside `memdb serve`?")

    def quarantine(self, reason: str) -> str:
        """Find it by what it says, look, and hold it with where it came from and what came of it; the id of the quarantine."""
        selection = {"pattern": {"text": f"{RUN} Logistics has moved"}, "backward": True, "forward": True}
        found = self.admin.post("/v1/admin/quarantine:preview", {"selection": selection, "shown": 10})
        say(
            f"A reviewer looks for it: {found['memories']} memories in {len(found['by_brain'])} brains,"
            f" {len(found['sessions'])} conversation; {found['held']} held already:",
            *(one["content"] for one in found["shown"]),
        )
        body = {"selection": selection, "expected": found["memories"], "reason": reason}
        action = self._finished(self.admin.post("/v1/admin/quarantine", body))
        say("All of it is quarantined. Recalled:", *self.bruno.recall() or ["nothing"])
        return str(action["id"])

    def release(self, action: str, before: list[Any]) -> None:
        """Undo it, and see that everything is as it was."""
        self._finished(self.admin.post(f"/v1/admin/quarantine/{action}:release", {}))
        say("It is released by mistake, and comes back exactly as it was:", self.look() == before)

    def look(self) -> list[Any]:
        """Everything about what is served."""
        return [*(self.bruno.get(f"/v1/memories/{one}") for one in self.served), self.bruno.get(f"/v1/sessions/{self.session}/turns")]

    def purge(self, action: str) -> None:
        """Delete what is held for good, with what was said."""
        held = self.admin.get("/v1/admin/reviews", action_id=action, limit=200)["items"]
        ids = [one["memory"]["id"] for one in held]
        done = self.admin.post("/v1/admin/reviews:decide", {"decision": "purge", "memory_ids": ids})["results"]
        say(f"{sum(one['done'] for one in done)} of {len(ids)} memories are purged. Recalled:", *self.bruno.recall() or ["nothing"])

    def _finished(self, action: dict[str, Any]) -> dict[str, Any]:
        """The action once a worker has done what was not done at once."""
        while action["state"] in {"running", "releasing"}:
            time.sleep(1)
            action = self.admin.get(f"/v1/admin/quarantine/{action['id']}")
        return action


def forge(api: Api) -> None:
    """Somebody with the database changes a row behind the product's back; then the row is put back."""
    memory = api.post("/v1/memories", {"content": f"{RUN} Logistics closes at six", "kind": "semantic"})["id"]
    path, sql = f"/v1/memories/{memory}", "UPDATE mem.memories SET content = %s WHERE id = %s"
    with psycopg.connect(str(OWNER_URL), autocommit=True) as database:
        try:
            database.execute(sql, [f"{RUN} Logistics closes at noon", memory])
            say("A row is edited in the database, past the product. It is read:", f"refused: {api.refused(path)['code']}")
            intact, damage = verify()
            say(f"The audit verifies: {intact}; it names", *damage)
        finally:
            database.execute(sql, [f"{RUN} Logistics closes at six", memory])
    say("The row is put back. It is read:", api.get(path)["content"])
    say("The audit verifies:", verify()[0])


def main() -> None:
    """Everything in turn."""
    story = Story()
    story.poison()
    before = story.look()
    action = story.quarantine("a page that lies")
    story.release(action, before)
    story.purge(story.quarantine("it lies after all"))
    say("The audit verifies:", verify()[0])
    forge(story.bruno)


if __name__ == "__main__":
    try:
        main()
    except httpx.ConnectError:
        sys.exit(f"no server at {URL}: start `memdb up`, or set MEMDB_URL")
