"""Jobs run in a process of their own, one at a time, tell their progress and how they ended, and are remembered."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graphsvc.errors import JobRunning, NotFound
from graphsvc.jobs import FILE, Jobs
from graphsvc.models.calibration import Job, JobState
from tests.builders import NOW, fixed_clock

DEADLINE_S = 20.0
HEAD = "import json, sys, time\norder = json.loads(sys.stdin.readline())\n"
SAY = "def say(**told):\n    print(json.dumps(told), flush=True)\n"


def command(*lines: str) -> list[str]:
    return [sys.executable, "-c", HEAD + SAY + "\n".join(lines)]


def until(jobs: Jobs, job: Job, ready: Callable[[Job], bool]) -> Job:
    end = time.monotonic() + DEADLINE_S
    while not ready(jobs.get(job.id)):
        assert time.monotonic() < end, jobs.get(job.id)
        time.sleep(0.01)
    return jobs.get(job.id)


def over(job: Job) -> bool:
    return job.state is not JobState.RUNNING


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    return Jobs(tmp_path, clock=fixed_clock)


def test_a_job_is_given_its_order_and_gives_its_result(jobs: Jobs) -> None:
    job = jobs.start("train", command('say(result={"version": order["name"]})'), {"name": "青"})
    assert (job.state, job.started_at) == (JobState.RUNNING, NOW)
    done = until(jobs, job, over)
    assert (done.state, done.result, done.error, done.ended_at) == (JobState.DONE, {"version": "青"}, None, NOW)


def test_its_progress_is_seen_and_only_one_runs_at_a_time(jobs: Jobs) -> None:
    job = jobs.start("train", command('say(stage="folds", done=2, total=8)', "time.sleep(60)"), {})
    seen = until(jobs, job, lambda one: one.done > 0)
    assert (seen.stage, seen.done, seen.total) == ("folds", 2, 8)
    with pytest.raises(JobRunning) as refused:
        jobs.start("train", command("say(result={})"), {})
    assert refused.value.where == job.id
    jobs.close()
    assert until(jobs, job, over).state is JobState.FAILED
    again = jobs.start("train", command("say(result={})"), {})
    assert until(jobs, again, over).state is JobState.DONE
    assert [one.id for one in jobs.all()] == [again.id, job.id]


def test_a_failure_is_told_in_its_own_words(jobs: Jobs) -> None:
    told = 'say(error={"code": "training-refused", "what": "too few rows", "remedy": "more"})'
    failed = until(jobs, jobs.start("train", command(told, "sys.exit(1)"), {}), over)
    assert failed.state is JobState.FAILED
    assert failed.error is not None
    assert (failed.error.code, failed.error.what) == ("training-refused", "too few rows")
    assert failed.result is None


@pytest.mark.parametrize("end", ["import os; os.abort()", "raise SystemError('secret text')", "sys.exit(0)"])
def test_a_process_that_dies_without_a_word_has_failed(jobs: Jobs, end: str) -> None:
    failed = until(jobs, jobs.start("train", command("print('noise')", end), {}), over)
    assert failed.error is not None
    assert "no result" in failed.error.what
    assert "secret" not in failed.model_dump_json()


def test_a_command_that_cannot_be_started_has_failed(jobs: Jobs) -> None:
    job = jobs.start("train", ["/no/such/program"], {})
    assert job.state is JobState.FAILED
    assert job.error is not None
    assert "could not be started" in job.error.what


def test_what_became_of_jobs_is_known_after_a_restart(jobs: Jobs, tmp_path: Path) -> None:
    done = until(jobs, jobs.start("train", command("say(result={})"), {}), over)
    left = jobs.start("train", command("time.sleep(60)"), {})
    again = Jobs(tmp_path, clock=fixed_clock)
    assert again.get(done.id) == done
    lost = again.get(left.id)
    assert lost.state is JobState.FAILED
    assert lost.error is not None
    assert "the service ended" in lost.error.what
    jobs.close()


@pytest.mark.parametrize("content", [b"", b"{", json.dumps([{"id": 1}]).encode(), b"\xff"])
def test_a_file_of_jobs_that_cannot_be_read_is_begun_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    jobs = Jobs(tmp_path, clock=fixed_clock)
    assert jobs.all() == []
    assert until(jobs, jobs.start("train", command("say(result={})"), {}), over).state is JobState.DONE


def test_an_unknown_job_is_not_found(jobs: Jobs) -> None:
    with pytest.raises(NotFound):
        jobs.get("job_0")
