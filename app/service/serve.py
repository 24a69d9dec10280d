"""The process behind `headroom.py`: questions come in a line of JSON each, answers go out likewise.

A question is `{"ask", "folder", "arguments"}`: a word of `answers.QUESTIONS`, the folder that paths begin at, and plain
data. What goes out for it: any number of `{"done": [how many, of how many]}`, then one of

- `{"answer": {kind, data, text, json, html, columns}}`, or `{"answer": words}` of a check;
- `{"problems": [...], "text"}`: the input is wrong, for these reasons;
- `{"fault": text}`: the program failed.

The process ends when nobody can ask any more, also in the middle of its work.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from app.reports.media import shown
from models.problem import Problem, RefusalError, located, refusal
from profiles.text.files import why_not


def serve() -> None:
    """Answer the questions that come in on stdin, on what was stdout when the process started."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not come between the answers
    questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        _answer(questions.get(), channel)


def _listen(stdin: BinaryIO, questions: queue.SimpleQueue[bytes]) -> None:
    """Pass questions on until there will be no more; workers of a study end with this process."""
    for line in stdin:
        questions.put(line)
    os._exit(0)


def _answer(line: bytes, channel: BinaryIO) -> None:
    def send(**message: Any) -> None:
        channel.write(json.dumps(message).encode() + b"\n")
        channel.flush()

    asked = json.loads(line)
    try:
        _enter(asked["folder"])
        send(answer=_found(asked["ask"], asked["arguments"], lambda done, total: send(done=[done, total])))
    except RefusalError as error:
        refused = located(error, "")
        send(problems=[_data(problem) for problem in refused.problems], text=shown(f"{refused}"))
    except Exception as error:
        from simulator.fault_log import told

        send(fault=told(error))


def _enter(folder: str) -> None:
    """Let paths begin at a folder.

    Raises:
        RefusalError: it is there no more.
    """
    try:
        os.chdir(folder)
    except OSError as error:
        why = f"the folder from which it was asked cannot be entered: {why_not(error)}"
        raise refusal("folder", why, "load the profile again from another one", value=folder) from None


def _found(question: str, arguments: dict[str, Any], on_done: Callable[[int, int], None]) -> Any:
    """Return an answer as plain data."""
    from app.reports.forms.document_html import fragment
    from app.reports.json_text import dumps
    from app.service.answers import answer

    @contextmanager
    def counted(_: str) -> Iterator[Callable[[int, int], None]]:
        yield on_done

    answered = answer(question, arguments, counted)
    if isinstance(answered, str):
        return answered
    text = dumps(answered.data)
    data = json.loads(text)  # numbers that JSON cannot hold are null there, and here
    return {
        "kind": answered.kind,
        "data": data,
        "text": shown(answered.text),
        "json": text,
        "html": fragment(answered.page),
        "columns": answered.columns,
    }


def _data(problem: Problem) -> dict[str, Any]:
    reason = problem.reason
    return {
        "file": problem.file,
        "line": problem.line,
        "key": problem.key,
        "message": problem.message,
        "found": reason.found,
        "expected": reason.expected,
        "way_out": reason.way_out,
    }
