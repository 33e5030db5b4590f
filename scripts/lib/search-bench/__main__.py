"""Measures searching; used by scripts/bench search, which tells what the words mean."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from typing import Iterator

import peers
import quality
import speed
from cache import HomeCache
from homes import BenchError, Launcher


def say(text: str) -> None:
    """One line on a terminal, drawn over by the next; what ends in a line break stays."""
    if sys.stderr.isatty():
        print(f"\r\x1b[2K{text}", end="", file=sys.stderr, flush=True)
    elif text.endswith("\n"):
        print(text, end="", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ["program", "loader", "folder", "shared", "models", "home-cache", "notes", "modes"]:
        parser.add_argument(f"--{name}", default="")
    for name in ["queries", "seed"]:
        parser.add_argument(f"--{name}", type=int, default=0)
    for name in ["json", "quality-only", "speed-only", "no-peers"]:
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


def machine() -> dict:
    name = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                name = line.split(":")[1].strip()
    cores = len(os.sched_getaffinity(0))
    return {"cores": cores, "processor": name, "load": round(os.getloadavg()[0], 2)}


def speed_rows(words: argparse.Namespace, launcher: Launcher) -> Iterator[dict]:
    measured = speed.Speed(
        launcher, words.program, words.loader, words.models, words.shared, words.home_cache,
        words.queries, words.seed, not words.no_peers, say,
    )
    for count in words.notes.split(","):
        yield from measured.rows(int(count))


def quality_rows(words: argparse.Namespace, launcher: Launcher) -> Iterator[dict]:
    cache = HomeCache(words.home_cache, launcher, words.program, words.models, say)
    measured = quality.Quality(words.shared, cache, words.modes.split(","), words.seed, say)
    yield from measured.scifact(with_peers=not words.no_peers)
    yield from measured.locomo()


def report(facts: dict, times: list[dict], ranks: list[dict], is_json: bool) -> None:
    if is_json:
        for row in [{"machine": facts}, *times, *ranks]:
            print(json.dumps(row, ensure_ascii=False))
        return
    print(f"{facts['cores']} cores, {facts['processor']}; load {facts['load']} at the beginning")
    lines = (speed.table(times) if times else []) + (quality.table(ranks) if ranks else [])
    for line in lines:
        print(line)


def main() -> None:
    words = arguments()
    if not words.no_peers and not peers.there():
        say("no tantivy and bm25s here: 'scripts/setup --bench' installs them\n")
    facts = machine()
    # Whoever ends the bench ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    launcher = Launcher(words.folder)
    try:
        times = [] if words.quality_only else list(speed_rows(words, launcher))
        ranks = [] if words.speed_only else list(quality_rows(words, launcher))
    except BenchError as error:
        say("")
        sys.exit(f"bench: {error}")
    finally:
        launcher.stop()
    say("")
    report(facts, times, ranks, words.json)


main()
