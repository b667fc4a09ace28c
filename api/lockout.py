"""Lock-out on guessing: after some wrong secrets for a key id, an address has to wait before it may present that key id again.

Counted by address and key id together: whoever guesses locks out themselves, not the owner of the key at another address. While an address
waits, the right secret is refused as well; else a guess would still win during the wait. What is kept is bounded: the pair that failed
longest ago is forgotten first, so that making room for one more guess takes PAIRS_MAX other ones.
"""

from __future__ import annotations

import contextlib
import ipaddress
import math
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from governance.api_keys import parse
from governance.errors import LockedOut, Unauthenticated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdb.clock import Clock

FAILURES_FREE = 5
FIRST_WAIT_S = 1
WAIT_MAX_S = 900
FORGOTTEN_AFTER = timedelta(hours=1)  # since the last failure
PAIRS_MAX = 10_000
_IPV6_SITE = 64  # bits: whoever has one address of IPv6 has as many as they like

Pair: TypeAlias = tuple[str, str, str]
"""Address, org name and key id."""


@dataclass(slots=True)
class _Failures:
    count: int
    last_at: datetime


class Lockout:
    """Who has failed how often. One object for a process; it forgets with the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures: OrderedDict[Pair, _Failures] = OrderedDict()

    @contextlib.contextmanager
    def attempt(self, address: str | None, presented: str) -> Iterator[None]:
        """Around the check of a key: Unauthenticated inside counts as a failure, an end without it forgets those before.

        Args:
            address: of the client, as text; None where the transport has none.
            presented: the key as it came. One that has not the form of a key can be no guess and is not counted.

        Raises:
            LockedOut: the address has to wait; nothing was checked.
        """
        pair = _pair(address, presented)
        if pair is None:
            yield
            return
        self._require_free(pair)
        try:
            yield
        except Unauthenticated:
            self._fail(pair)
            raise
        self._failures.pop(pair, None)

    def _require_free(self, pair: Pair) -> None:
        failed = self._failures.get(pair)
        if failed is None:
            return
        since = self._clock.now() - failed.last_at
        if since > FORGOTTEN_AFTER:
            del self._failures[pair]
            return
        left_s = wait_s(failed.count) - since.total_seconds()
        if left_s > 0:
            raise LockedOut(retry_after_s=min(WAIT_MAX_S, math.ceil(left_s)))

    def _fail(self, pair: Pair) -> None:
        failed = self._failures.setdefault(pair, _Failures(0, self._clock.now()))
        failed.count += 1
        failed.last_at = self._clock.now()
        self._failures.move_to_end(pair)
        if len(self._failures) > PAIRS_MAX:
            self._failures.popitem(last=False)


def wait_s(failures: int) -> int:
    """Seconds to wait after so many failures in a row: none for the first few, then doubling.

    >>> [wait_s(n) for n in (4, 5, 6, 7, 60)]
    [0, 1, 2, 4, 900]
    """
    if failures < FAILURES_FREE:
        return 0
    return min(WAIT_MAX_S, FIRST_WAIT_S << min(failures - FAILURES_FREE, 30))


def _pair(address: str | None, presented: str) -> Pair | None:
    try:
        key = parse(presented)
    except Unauthenticated:
        return None
    return _site(address or ""), key.org_name, key.key_id


def _site(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ipaddress.ip_network((found, _IPV6_SITE), strict=False))
    return address
