"""Notes as the program files them, against labels given before any rule was made.

`Tests/Fixtures/classification/labelled.jsonl`: 24 notes that were there while rules were made
("dev") and 24 that were not ("held"). `odd.jsonl`: 100 captures on which every field must still be
one that may be there.
"""

from __future__ import annotations

import json
from pathlib import Path

from program import Program

FIXTURES = Path(__file__).resolve().parents[3] / "Tests" / "Fixtures" / "classification"
FIELDS = ["action", "deadline", "time", "time_specific", "evergreen", "type"]
WORDS = ["capture", "--dry-run"]


def read(name: str) -> list[dict]:
    with open(FIXTURES / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def right(note: dict, fields: dict) -> dict[str, bool]:
    action = fields["action"]
    said = {
        "action": action["kind"], "deadline": action["deadline"], "time": action["time"],
        "time_specific": action["is_time_specific"], "evergreen": fields["evergreen"],
        "type": fields["type"],
    }
    return {
        name: said[name] == note[name]
        or (f"{name}_also" in note and said[name] == note[f"{name}_also"])
        for name in FIELDS
    }


def is_valid(fields: dict) -> bool:
    action, tags, title = fields["action"], fields["tags"], fields["title"]
    return (
        len(tags) <= 5 and len(set(tags)) == len(tags)
        and all(tag and tag == tag.lower().strip() and not tag.startswith("#") for tag in tags)
        and fields["type"] in ("task", "note", "log", "idea")
        and 0 < len(title) <= 80 and "\n" not in title
        and action["kind"] in ("none", "reminder", "calendar")
        and (action["kind"] == "none") == (action["deadline"] is None)
        and action["is_time_specific"] == (action["time"] is not None)
        and (action["kind"] != "calendar" or action["time"] is not None)
        and (fields["type"] == "task" or action["kind"] == "none")
    )


def rows(program: Program, models: str) -> list[dict]:
    environment = {"AURA_MODELS": models, "TZ": "UTC"}
    notes = read("labelled.jsonl")
    lines = [
        {"id": place, "text": note["text"], "vault": note["vault"], "now": note["now"] + ":00Z",
         "zone": "UTC"}
        for place, note in enumerate(notes)
    ]
    answers = [answer["fields"] for answer in program.batch(WORDS, lines, environment)]
    results = []
    for part in ["dev", "held"]:
        marks = [
            right(note, fields) for note, fields in zip(notes, answers) if note["set"] == part]
        whole = sum(all(mark.values()) for mark in marks)
        results.append({
            "part": "classification", "measure": f"all six fields right, {part}", "value": whole,
            "of": len(marks), "target": ">= 20", "met": whole >= 20,
            "each": {name: sum(mark[name] for mark in marks) for name in FIELDS},
        })
    odd = [{"id": place, "text": note["text"]} for place, note in enumerate(read("odd.jsonl"))]
    answers = program.batch(WORDS, odd, environment)
    valid = sum("fields" in answer and is_valid(answer["fields"]) for answer in answers)
    results.append({
        "part": "classification", "measure": "odd captures with valid fields", "value": valid,
        "of": len(odd), "target": f"{len(odd)}", "met": valid == len(odd),
    })
    return results
