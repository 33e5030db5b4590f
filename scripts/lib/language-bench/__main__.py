"""Measures the language parts; used by scripts/bench language, which tells what the words mean."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from pathlib import Path
from typing import Callable

import classification
import cleaning
import dates
import intents
import speed
from program import BenchError, Program


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ["program", "loader", "folder", "shared", "models", "prefix", "parts"]:
        parser.add_argument(f"--{name}", default="")
    for name in ["json", "misses", "no-model"]:
        parser.add_argument(f"--{name}", action="store_true")
    return parser.parse_args()


def cleaning_rows(program: Program) -> list[dict]:
    """The whole and its two halves; the kinds are left to the table of its own."""
    found = []
    for row in cleaning.rows(program.path):
        if row["name"] not in ("dev", "held", "all"):
            continue
        name, share = row["name"], row["wer"] / row["untouched_wer"]
        found += [
            {"part": "cleaning", "measure": f"wrong words left, {name}", "value": round(share, 4),
             "of": row["samples"], "target": "<= 0.5", "met": share <= 0.5},
            {"part": "cleaning", "measure": f"names, numbers, dates, denials lost, {name}",
             "value": len(row["lost"]), "of": row["samples"], "target": "0", "met": not row["lost"]},
            {"part": "cleaning", "measure": f"fillers left, {name}", "value": row["fillers"],
             "of": row["fillers_before"], "target": "0", "met": row["fillers"] == 0},
        ]
    return found


def parts(words: argparse.Namespace, program: Program, misses: dict) -> dict[str, Callable[[], list[dict]]]:
    shared = Path(words.shared)

    def date_rows() -> list[dict]:
        found, wrong = dates.measure(program, shared)
        misses.update(wrong)
        return found

    def model_rows(rows: Callable[[], list[dict]]) -> list[dict]:
        return [] if words.no_model else rows()

    return {
        "dates": date_rows,
        "cleaning": lambda: cleaning_rows(program),
        "intents": lambda: intents.rows(
            program, shared, words.loader, words.models, not words.no_model),
        "classification": lambda: model_rows(lambda: classification.rows(program, words.models)),
        "speed": lambda: model_rows(lambda: speed.rows(program, words.models, words.prefix)),
    }


def line(row: dict) -> str:
    of = f" of {row['of']}" if row.get("of") else ""
    aim = ""
    if row.get("target"):
        aim = f"{row['target']:>10}  {'met' if row['met'] else 'MISSED'}"
    each = ", ".join(f"{name} {value}" for name, value in row.get("each", {}).items())
    return f"{row['part']:<15}{row['measure']:<58}{row['value']:>10}{of:<9}{aim}{'  ' + each if each else ''}"


def main() -> None:
    words = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    misses: dict[str, list[str]] = {}
    is_short = False
    available = parts(words, Program(words.program, words.folder), misses)
    print(f"load {os.getloadavg()[0]:.2f} at the beginning", file=sys.stderr)
    for name in words.parts.split(","):
        try:
            for row in available[name]():
                is_short = is_short or row.get("met") is False
                print(json.dumps(row, ensure_ascii=False) if words.json else line(row), flush=True)
        except BenchError as error:
            is_short = True
            print(f"bench: {name}: {error}", file=sys.stderr)
    if words.misses:
        for name, texts in misses.items():
            print(f"\n{name}", *texts, sep="\n  ")
    sys.exit(1 if is_short else 0)


main()
