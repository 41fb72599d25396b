"""The copy a replay works on stands beside the store, and none outlives the process that made it for long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from graphsvc.store.sqlite.copies import COPY
from graphsvc.store.sqlite.rewind import rewound
from graphsvc.store.sqlite.store import SqliteStore
from tests.builders import NOW, entry

ROOT = Path(__file__).parents[2]
CODE = (
    "import sys, time; from datetime import datetime, UTC; from pathlib import Path\n"
    "from graphsvc.store.sqlite.rewind import rewound\n"
    "with rewound(Path(sys.argv[1]), 'default', datetime.now(UTC)):\n"
    "    print('ready', flush=True); time.sleep(60)\n"
)


def filled(folder: Path) -> SqliteStore:
    store = SqliteStore(folder)
    store.put([entry("m1")])
    return store


def copies(folder: Path) -> list[Path]:
    return list(folder.glob(f"{COPY}*/"))


def killed_inside(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CODE, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()


def test_a_copy_is_gone_when_the_replay_ends(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with rewound(tmp_path, "default", NOW) as past:
        assert [one.id for one in past.store.page("default").memories] == ["m1"]
        assert len(copies(tmp_path)) == 1
    assert copies(tmp_path) == []
    store.close()


def test_opening_the_store_removes_what_a_killed_replay_left(tmp_path: Path) -> None:
    filled(tmp_path).close()
    killed_inside(tmp_path)
    assert len(copies(tmp_path)) == 1
    SqliteStore(tmp_path).close()
    assert copies(tmp_path) == []


def test_a_purge_removes_what_a_killed_replay_left(tmp_path: Path) -> None:
    store = filled(tmp_path)
    killed_inside(tmp_path)
    store.purge()
    assert copies(tmp_path) == []
    store.close()


def test_a_copy_in_use_is_left_alone(tmp_path: Path) -> None:
    store = filled(tmp_path)
    with rewound(tmp_path, "default", NOW) as past, rewound(tmp_path, "default", NOW):
        SqliteStore(tmp_path).close()
        assert len(copies(tmp_path)) == 2
        assert len(past.store.page("default").memories) == 1
    assert copies(tmp_path) == []
    store.close()
