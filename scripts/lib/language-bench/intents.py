"""What a spoken request wants: a reminder, an entry in the calendar, or neither.

Requests of HWU64 (`SOURCE.md` beside the data), relabelled: `alarm_set`, and `calendar_set` with
"remind" in it, are reminders; another `calendar_set` with a time slot is an entry; one without
either is left out; all others want neither. Cross-validation over folds by a hash of the text: no
text is judged by a head that saw it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

from program import BenchError, Program

KINDS = ["none", "reminder", "calendar"]
FOLDS = 5
WITHOUT_MODEL = {"AURA_MODEL_CHAT": "none", "TZ": "UTC"}
MODEL_SAMPLE = 300
CLOCK = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|thirty"
    r"|fifteen|o'?clock|am|pm|morning|evening|afternoon|night|hours?|minutes)\b")
ASKS = re.compile(
    r"^(is|are|do|does|did|what|when|which|how|show|tell|list|have|has|am|any|give|check|delete"
    r"|remove|cancel|clear|turn off|read)\b")


def label(row: dict) -> int:
    """The place in KINDS; -1 where the request is left out."""
    if row["intent"] == "alarm_set":
        return 1
    if row["intent"] != "calendar_set":
        return 0
    if "remind" in row["text"].lower():
        return 1
    return 2 if any(slot["slot"] == "time" for slot in row["slots"]) else -1


def scores(truth: list[int], said: list[int]) -> list[float]:
    """F1 of each kind."""
    result = []
    for kind in range(len(KINDS)):
        right = sum(one == other == kind for one, other in zip(truth, said))
        both = truth.count(kind) + said.count(kind)
        result.append(2 * right / both if both else 0.0)
    return result


def grams(text: str) -> set[str]:
    words = ["<", *re.findall(r"[a-z']+|\d+", text.lower()), ">"]
    return {*words, *(f"{one} {other}" for one, other in zip(words, words[1:]))}


def vectors(loader: str, program: Program, texts: list[str], models: str):
    """Of length 1, a row for each text."""
    import numpy

    names = [os.path.join(program.folder, name) for name in ["intents.txt", "intents.f32"]]
    with open(names[0], "w", encoding="utf-8") as file:
        file.writelines(" ".join(text.split()) + "\n" for text in texts)
    environment = {
        "HOME": program.folder, "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8",
        "AURA_MODELS": models,
    }
    done = subprocess.run(
        [loader, "embed", os.path.abspath(program.path), *names], env=environment,
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"no vectors of the requests: {done.stderr.strip()[-200:]}")
    found = numpy.fromfile(names[1], dtype="<f4").reshape(len(texts), -1)
    return found / numpy.linalg.norm(found, axis=1, keepdims=True)


def trained(rows, kinds, penalty: float = 3e-4, weights=(1.0, 3.0, 8.0), rounds: int = 200):
    """Softmax regression with weighed kinds, by Adam: a matrix and a row of constants."""
    import numpy

    count, size = rows.shape
    parts = [numpy.zeros((size, len(KINDS)), "f4"), numpy.zeros(len(KINDS), "f4")]
    means, squares = ([numpy.zeros_like(part) for part in parts] for _ in range(2))
    wanted = numpy.eye(len(KINDS), dtype="f4")[kinds]
    weight = numpy.array(weights, "f4")[kinds]
    weight /= weight.mean()
    for round in range(1, rounds + 1):
        values = rows @ parts[0] + parts[1]
        values = numpy.exp(values - values.max(1, keepdims=True))
        values /= values.sum(1, keepdims=True)
        error = (values - wanted) * weight[:, None] / count
        for place, slope in enumerate([rows.T @ error + penalty * parts[0], error.sum(0)]):
            means[place] = 0.9 * means[place] + 0.1 * slope
            squares[place] = 0.999 * squares[place] + 0.001 * slope * slope
            step = means[place] / (1 - 0.9**round)
            parts[place] -= 0.05 * step / (numpy.sqrt(squares[place] / (1 - 0.999**round)) + 1e-8)
    return parts


class Heads:
    """Requests with what is known of each, judged by heads trained on the others."""

    def __init__(self, texts: list[str], kinds: list[int], read: list[dict], meaning):
        import numpy

        self.texts, self.meaning = texts, meaning
        self.kinds = numpy.array(kinds)
        self.grams = [grams(text) for text in texts]
        digests = [hashlib.sha1(text.encode()).hexdigest() for text in texts]
        self.folds = numpy.array([int(digest, 16) % FOLDS for digest in digests])
        self.flags = numpy.array([self.facts(*pair) for pair in zip(texts, read)], "f4")

    @staticmethod
    def facts(text: str, fields: dict) -> list[bool]:
        action, lower = fields["action"], text.lower()
        has_clock = CLOCK.search(lower) is not None
        return [
            action["kind"] == "reminder", action["kind"] == "calendar",
            action["deadline"] is not None, action["time"] is not None, fields["type"] == "task",
            "remind" in lower, has_clock, ASKS.search(lower) is not None,
            has_clock and "remind" not in lower,
        ]

    def judged(self, uses_all: bool) -> list[int]:
        import numpy

        said = numpy.zeros(len(self.texts), int)
        for fold in range(FOLDS):
            known, asked = self.folds != fold, self.folds == fold
            rows = self.rows(known) if uses_all else 3 * self.meaning
            rows = rows.astype("f4")
            matrix, constants = trained(rows[known], self.kinds[known])
            said[asked] = (rows[asked] @ matrix + constants).argmax(1)
        return said.tolist()

    def rows(self, known):
        """Meaning, the word pairs that known requests of the rare kinds share, and flags."""
        import numpy

        every, rare = Counter(), Counter()
        for words, kind, is_known in zip(self.grams, self.kinds, known):
            if is_known:
                every.update(words)
                if kind:
                    rare.update(words)
        chosen = sorted(gram for gram, count in rare.items() if count >= 3 and every[gram] >= 4)
        places = {gram: place for place, gram in enumerate(chosen)}
        counts = numpy.zeros((len(self.grams), len(chosen)), "f4")
        for number, words in enumerate(self.grams):
            for gram in words & places.keys():
                counts[number, places[gram]] = 1
        return numpy.hstack([3 * self.meaning, counts, self.flags])


def rows(program: Program, data: Path, loader: str, models: str, asks_model: bool) -> list[dict]:
    with open(data / "intents-hwu64" / "train.jsonl", encoding="utf-8") as file:
        requests = [row for row in map(json.loads, file) if label(row) >= 0]
    texts, kinds = [row["text"] for row in requests], [label(row) for row in requests]
    lines = [{"id": number, "text": text} for number, text in enumerate(texts)]
    words = ["capture", "--dry-run"]
    read = [answer["fields"] for answer in program.batch(words, lines, WITHOUT_MODEL)]
    said = [KINDS.index(fields["action"]["kind"]) for fields in read]
    results = [row("rules alone", kinds, said)]
    if loader:
        heads = Heads(texts, kinds, read, vectors(loader, program, texts, models))
        results.append(row("meaning alone", kinds, heads.judged(uses_all=False)))
        results.append(row("all together", kinds, heads.judged(uses_all=True), target=0.90))
    if asks_model:
        chosen = sorted(range(len(texts)), key=lambda place: hashlib.sha1(
            f"1 {texts[place]}".encode()).hexdigest())[:MODEL_SAMPLE]
        answers = program.batch(
            words, [lines[place] for place in chosen], {"AURA_MODELS": models, "TZ": "UTC"})
        said = [KINDS.index(answer["fields"]["action"]["kind"]) for answer in answers]
        results.append(row("rules and model", [kinds[place] for place in chosen], said))
    return results


def row(name: str, truth: list[int], said: list[int], target: float | None = None) -> dict:
    each = scores(truth, said)
    value = sum(each) / len(each)
    found = {
        "part": "intents", "measure": f"macro-F1, {name}", "value": round(value, 4),
        "of": len(truth), "each": dict(zip(KINDS, (round(one, 4) for one in each))),
    }
    if target is not None:
        found |= {"target": f">= {target}", "met": value >= target}
    return found
