"""`python -m graphsvc.interfaces.cli`, for a source tree without the installed script."""

from __future__ import annotations

from graphsvc.interfaces.cli.root import main

if __name__ == "__main__":
    main()
