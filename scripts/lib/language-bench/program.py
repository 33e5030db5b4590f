"""The program under measurement, as one process that answers lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import time


class BenchError(Exception):
    """What keeps a part from being measured, said so that a person can act on it."""


class Program:
    """Runs `aura COMMAND --batch` in a home of its own."""

    def __init__(self, path: str, folder: str) -> None:
        self.path, self.folder = path, folder

    def batch(self, words: list[str], lines: list[dict], environment: dict[str, str]) -> list[dict]:
        """An answer a line, in order."""
        output = self._run(words, lines, environment)
        answers = [json.loads(line) for line in output.splitlines() if line.strip()]
        if len(answers) != len(lines):
            raise BenchError(f"{len(lines)} lines asked, {len(answers)} answered")
        return answers

    def seconds(self, words: list[str], lines: list[dict], environment: dict[str, str]) -> float:
        """How long the whole process took."""
        started = time.perf_counter()
        self._run(words, lines, environment)
        return time.perf_counter() - started

    def _run(self, words: list[str], lines: list[dict], environment: dict[str, str]) -> str:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        own = {
            "HOME": self.folder, "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8",
            **environment,
        }
        done = subprocess.run(
            [self.path, *words, "--batch"], input=text, capture_output=True, text=True, env=own,
            cwd=self.folder, check=False)
        # One line that cannot be answered ends the run with another code, but not the answers.
        if not done.stdout and lines:
            raise BenchError(f"'aura {' '.join(words)} --batch' said: {done.stderr.strip()}")
        return done.stdout
