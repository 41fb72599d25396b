"""Long pieces of work, one at a time, each in a fresh process that tells its progress line by line.

The process is started, never forked off this one: what an encoder or LightGBM holds does not survive a fork. Jobs are
kept in memory and in one file, so that what became of the last ones is known after a restart; a job whose service went
away has failed. Made for one service: two must not share a folder.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter, ValidationError

from graphsvc.errors import JobRunning, NotFound
from graphsvc.models.calibration import Job, JobError, JobState

KEPT = 50
FILE = "jobs.json"
PATIENCE_S = 5.0
_JOBS = TypeAdapter(list[Job])


class Jobs:
    """Thread-safe. A process is given its order as one line of JSON and answers with lines of JSON:

    `{"stage", "done", "total"}` as often as it likes, and at its end `{"result": {...}}` or `{"error": {...}}`.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], datetime]) -> None:
        self._path = folder / FILE
        self._clock = clock
        self._lock = threading.RLock()
        self._jobs = {job.id: self._left(job) for job in self._read()}
        self._running: subprocess.Popen[str] | None = None
        self._follower: threading.Thread | None = None

    def start(self, kind: str, command: Sequence[str], order: Mapping[str, Any]) -> Job:
        """Begin; raises `JobRunning` while another runs."""
        with self._lock:
            running = [job.id for job in self._jobs.values() if job.state is JobState.RUNNING]
            if running:
                raise JobRunning("a job runs already", where=running[0], remedy="wait for it to end")
            job = Job(id=f"job_{secrets.token_hex(8)}", kind=kind, state=JobState.RUNNING, started_at=self._clock())
            self._put(job)
            try:
                process = _started(command)
            except OSError as error:
                return self._end(job.id, error=JobError(code="job-failed", what=f"could not be started: {error}"))
            self._running = process
            self._follower = threading.Thread(target=self._follow, args=(job.id, process, order), daemon=True)
            self._follower.start()
            return job

    def get(self, job_id: str) -> Job:
        """Raises `NotFound`."""
        with self._lock:
            if job_id not in self._jobs:
                raise NotFound("no such job", where=job_id)
            return self._jobs[job_id]

    def all(self) -> list[Job]:
        """The last ones, newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def close(self) -> None:
        """Stop what runs; it has failed."""
        with self._lock:
            process, follower = self._running, self._follower
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
        if follower is not None:
            follower.join(PATIENCE_S)

    def _follow(self, job_id: str, process: subprocess.Popen[str], order: Mapping[str, Any]) -> None:
        result: dict[str, Any] | None = None
        error: JobError | None = None
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            _hand_over(process.stdin, order)
            for line in process.stdout:
                said = _said(line)
                if "result" in said:
                    result = said["result"]
                elif "error" in said:
                    error = JobError.model_validate(said["error"])
                elif "stage" in said:
                    self._progress(job_id, said)
        if error is None and (process.returncode != 0 or result is None):
            what = f"the process ended with code {process.returncode} and no result"
            error = JobError(code="job-failed", what=what, remedy="run it by the command line to see why")
        self._end(job_id, result=None if error else result, error=error)

    def _progress(self, job_id: str, said: Mapping[str, Any]) -> None:
        told = {name: said.get(name, 0) for name in ("done", "total")} | {"stage": said["stage"]}
        with self._lock:
            # Not written down: after a restart the job is over, however far it was.
            self._jobs[job_id] = self._jobs[job_id].model_copy(update=told)

    def _end(self, job_id: str, *, result: dict[str, Any] | None = None, error: JobError | None = None) -> Job:
        state = JobState.DONE if error is None else JobState.FAILED
        with self._lock:
            told = {"state": state, "ended_at": self._clock(), "result": result, "error": error}
            job = self._jobs[job_id].model_copy(update=told)
            self._running = None
            self._put(job)
            return job

    def _put(self, job: Job) -> None:
        self._jobs[job.id] = job
        for old in list(self._jobs)[:-KEPT]:
            del self._jobs[old]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        beside.write_bytes(_JOBS.dump_json(list(self._jobs.values())))
        beside.replace(self._path)

    def _read(self) -> list[Job]:
        """What the file tells; nothing where it cannot be read, since jobs are no data of anybody's."""
        try:
            return _JOBS.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return []

    def _left(self, job: Job) -> Job:
        if job.state is not JobState.RUNNING:
            return job
        error = JobError(code="job-failed", what="the service ended before the job did", remedy="start it again")
        return job.model_copy(update={"state": JobState.FAILED, "ended_at": self._clock(), "error": error})


def _started(command: Sequence[str]) -> subprocess.Popen[str]:
    """What it prints beside its lines goes nowhere: it might quote a memory."""
    return subprocess.Popen(  # noqa: S603  a command of our own making
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )


def _hand_over(pipe: IO[str], order: Mapping[str, Any]) -> None:
    try:
        pipe.write(json.dumps(order) + "\n")
        pipe.close()
    except BrokenPipeError:
        return  # it ended before it read anything; its exit code says so


def _said(line: str) -> dict[str, Any]:
    """A line as an object; what is none is passed over."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
