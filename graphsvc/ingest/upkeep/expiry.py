"""Say what has outlived its time: every memory whose `expires_at` is not after now.

Questions leave it out from that moment on; a deletion of it takes it off the disk.
"""

from __future__ import annotations

from datetime import datetime

from graphsvc.store.base import Where
from graphsvc.store.filters import Op, compare


def expired(now: datetime) -> Where:
    """What has expired at `now`; a memory without `expires_at` never does."""
    return compare("expires_at", Op.LTE, now)
