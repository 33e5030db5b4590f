"""Homes of notes, and the program at work on one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import Iterable, Iterator

from figures import Ranking

MODEL = "all-MiniLM-L6-v2-f16.gguf"
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
# 2024-01-01, in milliseconds: the first note's time in its id.
FIRST_MOMENT = 1_704_067_200_000


def identifier(number: int, kind: int) -> str:
    """An id as notes and homes have one; `kind` keeps those of different homes apart."""
    value = (FIRST_MOMENT + number) << 80 | kind << 40 | number
    return "".join(CROCKFORD[value >> shift & 31] for shift in range(125, -1, -5))


def make_home(folder: str, kind: int) -> None:
    """A plain home without notes."""
    os.makedirs(os.path.join(folder, ".aura"), mode=0o700)
    marker = {
        "id": identifier(0, kind),
        "format": 1,
        "sealing": "plain",
        "adopted": False,
        "created": "2024-01-01T00:00:00Z",
    }
    with open(os.path.join(folder, ".aura", "vault.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps(marker) + "\n")


def write_notes(folder: str, kind: int, notes: Iterable[tuple[str, str, str]]) -> int:
    """Writes notes of a path, a title and a text; each was made a minute after the one before."""
    count = 0
    for count, (path, title, text) in enumerate(notes, 1):
        minute = count % (60 * 24 * 365)
        day, rest = divmod(minute, 60 * 24)
        created = f"2024-{day // 31 + 1:02}-{day % 28 + 1:02}T{rest // 60:02}:{rest % 60:02}:00Z"
        target = os.path.join(folder, path)
        if not os.path.isdir(os.path.dirname(target)):
            os.makedirs(os.path.dirname(target), mode=0o700)
        with open(target, "w", encoding="utf-8") as file:
            file.write(
                f"---\nid: {identifier(count, kind)}\n"
                f"title: {json.dumps(title, ensure_ascii=False)}\ntype: note\nstatus: indexed\n"
                f"created: {created}\nmodified: {created}\n---\n{text}\n"
            )
    return count


@dataclass
class Run:
    seconds: float
    processor: float
    kilobytes: int
    status: int
    output: str
    errors: str


class BenchError(Exception):
    pass


class Launcher:
    """Runs programs through a small process; see launch.py."""

    def __init__(self, folder: str):
        self.folder = folder
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "launch.py")
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", script], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )

    def stop(self) -> None:
        """Ends what runs, too."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()

    def run(self, words: list[str], environment: dict[str, str], input: str = os.devnull) -> Run:
        output, errors = (os.path.join(self.folder, name) for name in ["out", "err"])
        order = {
            "words": words, "environment": environment, "input": input, "output": output,
            "errors": errors,
        }
        print(json.dumps(order), file=self.process.stdin, flush=True)
        reply = json.loads(self.process.stdout.readline())
        with open(errors, encoding="utf-8", errors="replace") as file:
            return Run(**reply, output=output, errors=file.read())


class Aura:
    """The program on one home, with settings, index and model server of its own."""

    def __init__(self, launcher: Launcher, program: str, home: str, data: str, models: str | None):
        self.launcher, self.program, self.home, self.data = launcher, program, home, data
        folder = launcher.folder
        for name in ["user", "run", "models"]:
            os.makedirs(os.path.join(folder, name), mode=0o700, exist_ok=True)
        self.has_model = models is not None and os.path.isfile(os.path.join(models, MODEL))
        link = os.path.join(folder, "models", MODEL)
        if self.has_model and not os.path.lexists(link):
            os.symlink(os.path.join(models, MODEL), link)
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": os.path.join(folder, "user"),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "XDG_RUNTIME_DIR": os.path.join(folder, "run"),
            "XDG_DATA_HOME": data,
            "AURA_VAULT_DIR": home,
            "AURA_MODELS": os.path.join(folder, "models"),
            # The background worker would work while others are measured.
            "AURA_CAPTURE_ENRICH": "false",
        }

    def run(self, *words: str, input: str = os.devnull, allows: tuple[int, ...] = (0,)) -> Run:
        return self.run_other(self.program, *words, input=input, allows=allows)

    def run_other(
        self, program: str, *words: str, input: str = os.devnull, allows: tuple[int, ...] = (0,)
    ) -> Run:
        """Another program in the same surroundings."""
        run = self.launcher.run([program, *words], self.environment, input)
        if run.status not in allows:
            said = f"{os.path.basename(program)} {' '.join(words)} ended with {run.status}"
            raise BenchError(f"{said}: {run.errors.strip()}")
        return run

    def answers(self, *words: str) -> list[dict]:
        """What a command prints with --json."""
        with open(self.run(*words, "--json").output, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def batch(
        self, command: str, items: Iterable[dict], *words: str
    ) -> tuple[Run, Iterator[dict]]:
        """The run, and each line's answer; a line that failed ends the bench."""
        orders = os.path.join(self.launcher.folder, "orders")
        with open(orders, "w", encoding="utf-8") as file:
            for item in items:
                file.write(json.dumps(item, ensure_ascii=False) + "\n")
        run = self.run(command, "--batch", *words, input=orders, allows=(0, 1))
        return run, self.read_batch(run)

    def read_batch(self, run: Run) -> Iterator[dict]:
        with open(run.output, encoding="utf-8") as file:
            for line in file:
                answer = json.loads(line)
                if "error" in answer:
                    raise BenchError(f"a line failed: {answer['error']['message']} {run.errors}")
                yield answer

    def rankings(self, mode: str, queries: list[str], limit: int) -> list[Ranking]:
        """The paths that each query finds, with scores."""
        items = [{"id": number, "text": text} for number, text in enumerate(queries)]
        _, answers = self.batch("search", items, "--mode", mode, "--limit", str(limit))
        found = [[(hit["path"], hit["score"]) for hit in answer["hits"]] for answer in answers]
        if len(found) != len(queries):
            raise BenchError(f"{len(queries)} queries gave {len(found)} answers")
        return found

    def figures(self) -> dict:
        return self.answers("status")[0]

    def is_embedded(self) -> bool:
        """Every passage has its vector, and searching by meaning works."""
        try:
            figures = self.figures()
            if figures["passages"] == 0 or figures["embedded"] < figures["passages"]:
                return False
            return any(self.rankings("semantic", ["result of the study"], 1)[0])
        except (BenchError, KeyError):
            return False

    def stop_models(self) -> None:
        self.launcher.run([self.program, "model", "stop"], self.environment)


def link_tree(source: str, target: str) -> None:
    """Copies a folder; the files stay the same ones where the disk allows it."""

    def link(old: str, new: str) -> str:
        try:
            os.link(old, new)
        except OSError:
            shutil.copy2(old, new)
        return new

    shutil.copytree(source, target, copy_function=link)


def size(folder: str) -> int:
    """Bytes of all files below a folder."""
    return sum(
        os.path.getsize(os.path.join(path, name))
        for path, _, names in os.walk(folder)
        for name in names
    )
