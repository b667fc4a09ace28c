"""How many requests a key and an org may send in a minute. Counted in this process: N processes have N budgets."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from governance.errors import RateLimited

if TYPE_CHECKING:
    from uuid import UUID

_KEY, _ORG = "key", "org"


class RateLimits:
    """Two sliding windows of a minute for each request: its key's and its org's. Two counters each, whatever the number."""

    def __init__(self, key_per_minute: int, org_per_minute: int) -> None:
        """Requests in a minute of a key that has no number of its own, and of an org; 0 is no bound."""
        self._key_per_minute = key_per_minute
        self._org_per_minute = org_per_minute
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, org_id: UUID, key_id: str, own_per_minute: int | None) -> None:
        """Count a request of a key that was checked; one that is refused counts for neither.

        Args:
            org_id: of the key.
            key_id: of the key.
            own_per_minute: the key's own number; None is that of the server.

        Raises:
            RateLimited: too many; with the seconds until there is room for one.
        """
        wanted = [
            (_ORG, self._org_per_minute, (_ORG, str(org_id))),
            (_KEY, self._key_per_minute if own_per_minute is None else own_per_minute, (_KEY, str(org_id), key_id)),
        ]
        windows = [(whose, RateLimitItemPerMinute(amount), place) for whose, amount, place in wanted if amount > 0]
        for whose, window, place in windows:
            if not self._limiter.test(window, *place):
                reset_s = self._limiter.get_window_stats(window, *place).reset_time - time.time()
                message = f"this {whose} may send {window.amount} requests a minute; slow down"
                raise RateLimited(message, retry_after_s=max(1, math.ceil(reset_s)))
        for _, window, place in windows:
            self._limiter.hit(window, *place)
