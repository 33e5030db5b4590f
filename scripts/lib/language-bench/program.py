"""The program under measurement, as processes in a home of their own."""

from __future__ import annotations

import json
import os
import subprocess
import time


class BenchError(Exception):
    """What keeps a part from being measured, said so that a person can act on it."""


class Program:
    def __init__(self, path: str, folder: str) -> None:
        self.path, self.folder = path, folder

    def batch(self, words: list[str], lines: list[dict], environment: dict[str, str]) -> list[dict]:
        """An answer a line, in order."""
        output = self.run([*words, "--batch"], environment, self._text(lines))
        answers = [json.loads(line) for line in output.splitlines() if line.strip()]
        if len(answers) != len(lines):
            raise BenchError(f"{len(lines)} lines asked, {len(answers)} answered")
        return answers

    def seconds(self, words: list[str], lines: list[dict], environment: dict[str, str]) -> float:
        """How long the whole process took."""
        text = self._text(lines)
        started = time.perf_counter()
        self.run([*words, "--batch"], environment, text)
        return time.perf_counter() - started

    def run(self, words: list[str], environment: dict[str, str], text: str = "") -> str:
        """What the program printed."""
        own = {
            "HOME": self.folder, "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8",
            **environment,
        }
        done = subprocess.run(
            [self.path, *words], input=text, capture_output=True, text=True, env=own,
            cwd=self.folder, check=False)
        # One line that cannot be answered ends the run with another code, but not the answers.
        if not done.stdout:
            raise BenchError(f"'aura {' '.join(words)}' said: {done.stderr.strip()[-300:]}")
        return done.stdout

    @staticmethod
    def _text(lines: list[dict]) -> str:
        return "".join(json.dumps(line) + "\n" for line in lines)
