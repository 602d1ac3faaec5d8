"""Progress bars of tqdm, where there is one."""

from __future__ import annotations

import time
from typing import Any


class Bar:
    """A bar that appears when the work has taken a second. Without tqdm there is none."""

    def __init__(self) -> None:
        """Begin to wait."""
        self._begun = time.monotonic()
        self._bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` are done."""
        if self._bar is None:
            if time.monotonic() - self._begun < 1:
                return
            try:
                from tqdm.auto import tqdm
            except ModuleNotFoundError:
                self._begun = float("inf")
                return
            self._bar = tqdm(total=total, leave=False)
            # The rate is that since the work began.
            self._bar.start_t -= time.monotonic() - self._begun
        if total != self._bar.total or done < self._bar.n:
            self._bar.reset(total)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Remove it."""
        if self._bar is not None:
            self._bar.close()
