"""Find expressions of time and say which stretch of time each one means.

Times are read against the moment and zone of speaking and are half-open intervals in that zone, weeks
from Monday; what has one bound, as "since" and 以后 have, is open at the other end. What hangs on an
event nobody dated, or recurs, is kept without an interval.
"""

from __future__ import annotations

from graphsvc.language.times.find import find_times

__all__ = ["find_times"]
