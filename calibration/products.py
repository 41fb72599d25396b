"""Small matrix products that stay on the calling thread.

OpenBLAS hands any product of more than some 260,000 multiplications to a pool of threads that wait for each other
by spinning. On a machine with other work the waiting turns 0.03 ms into 20; these products never need help.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# OpenBLAS: GEMM_MULTITHREAD_THRESHOLD (4) times SMP_THRESHOLD_MIN (65,536), multiplications.
_ALONE = 4 * 65_536


def product(left: NDArray[np.float32], right: NDArray[np.float32]) -> NDArray[np.float32]:
    """`left @ right`, float32 `(n, k)` by `(k, m)`, by as many rows at a time as one thread is given."""
    rows = max(1, _ALONE // max(1, right.size))
    if len(left) <= rows:
        return left @ right
    whole = np.empty((len(left), right.shape[1]), np.float32)
    for start in range(0, len(left), rows):
        np.matmul(left[start : start + rows], right, out=whole[start : start + rows])
    return whole
