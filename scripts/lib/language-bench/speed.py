"""How long filing a note takes, beside plain ways with the same model in the same run.

The plain ways ask a grammar about the whole vocabulary for every token, with the beginning that notes
share kept or read anew. The model's own speed is that of a loop over libllama and nothing else.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
from pathlib import Path

from program import BenchError, Program

TOKENS = 128
WAYS = {
    "whole-anew": "plain grammar, nothing kept", "whole": "plain grammar, beginning kept",
    "checked": "grammar asked about the chosen token", "form": "aura's form",
}


def seconds_a_note(program: Program, models: str, way: str, notes: int) -> float:
    said = program.run(["model", "bench", "--way", way, "--notes", str(notes)], {"AURA_MODELS": models})
    found = re.search(r"then ([\d.]+) s a note", said)
    if not found:
        raise BenchError(f"'aura model bench --way {way}' said: {said.strip()}")
    return float(found[1])


def bare_loop(folder: str, prefix: str) -> str:
    source = Path(__file__).with_name("bare.c")
    built = os.path.join(folder, "bare")
    done = subprocess.run(
        ["clang", "-O2", f"-I{prefix}/include", str(source), f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib",
         "-lllama", "-lggml", "-lggml-base", "-o", built],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"the bare loop was not built: {done.stderr.strip()[-300:]}")
    return built


def token_milliseconds(program: Program, models: str, bare: str, rounds: int = 3) -> tuple[float, float]:
    """Of the worker and of the bare loop, taken in turns; medians."""
    chat = program.run(["config", "model.chat"], {"AURA_MODELS": models}).strip()
    path = chat if os.path.isabs(chat) else next(
        (str(file) for file in sorted(Path(models).glob("*.gguf")) if "coder" in file.name.lower()), "")
    if not path:
        raise BenchError(f"there is no chat model in {models}")
    cores = str(len(os.sched_getaffinity(0)))
    worker, loop = [], []
    for _ in range(rounds):
        said = program.run(["model", "bench", "--way", "worker"], {"AURA_MODELS": models})
        worker.append(float(re.search(r"([\d.]+) ms a token", said)[1]))
        done = subprocess.run([bare, path, cores, str(TOKENS)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchError(f"the bare loop ended with {done.returncode}")
        loop.append(float(done.stdout))
    return statistics.median(worker), statistics.median(loop)


def rows(program: Program, models: str, prefix: str, notes: int = 12) -> list[dict]:
    each = {way: seconds_a_note(program, models, way, notes) for way in WAYS}
    results = [
        {"part": "speed", "measure": f"seconds a note, {name}", "value": round(each[way], 3)}
        for way, name in WAYS.items()
    ]
    for way, most in [("whole", 0.37), ("whole-anew", 0.15)]:
        share = each["form"] / each[way]
        results.append({
            "part": "speed", "measure": f"aura's form against {WAYS[way]}", "value": round(share, 3),
            "target": f"<= {most}", "met": share <= most,
        })
    worker, loop = token_milliseconds(program, models, bare_loop(program.folder, prefix))
    results += [
        {"part": "speed", "measure": "tokens/s, worker", "value": round(1000 / worker, 2)},
        {"part": "speed", "measure": "tokens/s, bare loop", "value": round(1000 / loop, 2)},
        {"part": "speed", "measure": "worker's time a token over the bare loop's",
         "value": round(worker / loop - 1, 4), "target": "<= 0.05", "met": worker / loop <= 1.05},
    ]
    return results
