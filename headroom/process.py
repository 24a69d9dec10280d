"""The process that answers: started with the first question, ended with this one, or by whatever ends a question early.

It has the interpreter and the packages of this process, but looks for ours beside this file first and for what lies in
the user's folders last: a file there that is called like a package of ours does not come between. Nothing of ours is
imported here, so nothing of the user's is hidden, either.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from headroom.errors import HeadroomError, Problem, refused

OnDone = Callable[[int, int], object]
"""Is told how many of how many runs are done."""

ROOT = str(Path(__file__).resolve().parent.parent)
PROGRAM = """
import sys
sys.path += [folder for folder in {folders!r} if folder not in sys.path]
from app.service.serve import serve
serve()
"""
PATIENCE = 2.0  # Assumption: seconds for the process to end by itself, ten times what it takes


def ask(question: str, folder: str, arguments: Mapping[str, Any], on_done: OnDone | None = None) -> Any:
    """Return the answer to a question, as plain data; paths in the arguments begin at the folder.

    Raises:
        HeadroomError: the input is wrong, or the program has failed.
    """
    for name, value in arguments.items():
        _text(name, value)
    return _mine().ask({"ask": question, "folder": folder, "arguments": arguments}, on_done)


def _text(name: str, value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError) as error:
        way_out = "give numbers, texts, and lists or tables of them"
        raise refused(name, f"cannot be told to the process that answers: {error}", way_out) from None


class Process:
    """A process that answers one question after the other, whichever thread asks."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None

    def ask(self, asked: Mapping[str, Any], on_done: OnDone | None) -> Any:
        """Return the answer; whatever comes between, such as Ctrl+C, ends the process and its work.

        Raises:
            HeadroomError: the input is wrong, or the program has failed.
        """
        line = json.dumps(asked).encode() + b"\n"
        with self._lock:
            try:
                return self._answer(self._sent(line), on_done)
            except HeadroomError:
                raise
            except BaseException:
                self.kill()
                raise

    def _sent(self, line: bytes) -> subprocess.Popen[bytes]:
        """Write a question to the process, a new one if there is none that listens."""
        for is_new in (False, True):
            process = self._started() if self._running is None or is_new else self._running
            assert process.stdin is not None  # it is a pipe
            try:
                process.stdin.write(line)
                process.stdin.flush()
            except OSError:  # it has ended, or been ended, since the last question
                self.kill()
                continue
            return process
        raise HeadroomError(f"no process can be started with {sys.executable}")

    def _answer(self, process: subprocess.Popen[bytes], on_done: OnDone | None) -> Any:
        assert process.stdout is not None  # it is a pipe
        for line in process.stdout:
            told = json.loads(line)
            if "done" in told:
                if on_done is not None:
                    on_done(*told["done"])
            elif "answer" in told:
                return told["answer"]
            elif "problems" in told:
                raise HeadroomError(told["text"], [Problem(**problem) for problem in told["problems"]])
            else:
                raise HeadroomError(told["fault"])
        status = process.wait()
        self.kill()
        raise HeadroomError(f"the process that answers has ended with status {status}; its last words are on stderr")

    def _started(self) -> subprocess.Popen[bytes]:
        folders = [ROOT, *(os.path.abspath(folder) for folder in sys.path)]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}  # it is in sys.path
        self._running = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM.format(folders=folders)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl+C is for this process, which then ends that one
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        return self._running

    def kill(self) -> None:
        """End the process at once; its own workers end with it."""
        if self._running is not None:
            self._running.kill()
            self._running.communicate()
            self._running = None

    def close(self) -> None:
        """Let the process end."""
        if self._running is not None and self.owner == os.getpid():
            try:
                self._running.communicate(timeout=PATIENCE)  # nobody will ask any more
            except subprocess.TimeoutExpired:
                self.kill()


_processes: list[Process] = []  # that of this process is the last; a fork has inherited the others


def _mine() -> Process:
    """Return the process of this process: a fork needs one of its own."""
    if not _processes or _processes[-1].owner != os.getpid():
        _processes.append(Process())
        atexit.register(_processes[-1].close)
    return _processes[-1]
