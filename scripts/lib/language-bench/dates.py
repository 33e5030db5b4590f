"""Date phrases, measured on relative dates that others have written down.

Two sources, reported apart since their conventions differ (`SOURCE.md` beside the data): duckling's
phrases and the sentences and phrases of Recognizers-Text. Texts are read with the month first, as
both write them. A weekday may be meant in two ways; the one ahead counts.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Iterator, Optional

from program import BenchError, Program

FINE = {"hour", "minute", "second"}
ENVIRONMENT = {"AURA_DATES_DAY_FIRST": "false", "TZ": "UTC"}
# Without a day of their own, rows of Recognizers-Text are asked on the day most of them have.
STANDARD_NOW = "2016-11-07T00:00:00"
# duckling's reference time is two hours behind UTC, which shows where a text names a zone.
DUCKLING_ZONE = "Etc/GMT+2"
LEAST_SPEED_LINES = 20_000


class Tally:
    """How many of so many are right, and what was wrong."""

    def __init__(self, name: str, target: str, at_least: float = 0.0) -> None:
        self.name, self.target, self.at_least = name, target, at_least
        self.right, self.wrong = 0, []

    def count(self, is_right: bool, text: str, expected: object, found: list[dict]) -> None:
        if is_right:
            self.right += 1
            return
        said = "; ".join(f"{date['text']} = {date['start']}..{date['end']}" for date in found)
        self.wrong.append(f"{text} | {expected} | {said or 'nothing'}")

    def row(self) -> dict:
        total = self.right + len(self.wrong)
        share = self.right / total if total else 0.0
        return {
            "part": "dates", "measure": self.name, "value": round(share, 4), "right": self.right,
            "of": total, "target": self.target, "met": share >= self.at_least,
        }


class Alarms(Tally):
    """Texts without a date: the measure is how many were given one."""

    def row(self) -> dict:
        total = self.right + len(self.wrong)
        return {
            "part": "dates", "measure": self.name, "value": len(self.wrong), "right": self.right,
            "of": total, "target": self.target, "met": len(self.wrong) <= self.at_least,
        }


def moment(text: Optional[str]) -> Optional[datetime]:
    """A day counts from its midnight. Nil for what is no day, as `XXXX-05`."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text.replace(" ", "T"))
    except ValueError:
        return None


def start(date: dict) -> Optional[datetime]:
    return moment(date["start"] or date["end"])


def is_near(found: Optional[datetime], meant: Optional[datetime]) -> bool:
    """Ends are inclusive in one source and exclusive, by the smallest unit, in the other."""
    if found is None or meant is None:
        return found is meant
    return abs(found - meant) <= timedelta(minutes=1)


# duckling

def duckling(rows: list[dict], answers: list[list[dict]]) -> Iterator[Tally]:
    days = Tally("duckling, points: the day", ">= 0.88", 0.88)
    minutes = Tally("duckling, points with a time: the minute", ">= 0.80", 0.80)
    holidays = Tally("duckling, holidays: the day", ">= 0.60", 0.60)
    intervals = Tally("duckling, intervals: both ends", "")
    for row, found in zip(rows, answers):
        meant, text = moment(row["start"]), row["text"]
        first = start(found[0]) if len(found) == 1 else None
        has_day = first is not None and first.date() == meant.date()
        if "end" not in row and "open" not in row:
            days.count(has_day, text, row["start"], found)
            if row["grain"] in FINE:
                has_minute = has_day and first.replace(second=0) == meant.replace(second=0)
                minutes.count(has_minute, text, row["start"], found)
        else:
            end = row.get("end") or row.get("open")
            intervals.count(
                len(found) == 1 and has_interval(found[0], row), text, f"{row['start']}..{end}",
                found)
        if "holiday" in row:
            holidays.count(has_day, text, row["start"], found)
    yield from [days, minutes, holidays, intervals]


def has_interval(date: dict, row: dict) -> bool:
    meant = moment(row["start"])
    if row.get("open") == "after":
        return date["end"] is None and is_near(moment(date["start"]), meant)
    if row.get("open") == "before":
        return date["start"] is None and is_near(moment(date["end"]), meant)
    is_fine = row["grain"] in FINE
    unit = timedelta(minutes=1) if is_fine else timedelta(days=1)
    first, last = moment(date["start"]), moment(date["end"])
    if first is None or last is None:
        return False
    # duckling's end is exclusive by one grain: `from 3 to 5 pm` ends at 18:00.
    slack = {"hour": timedelta(hours=1), "minute": timedelta(minutes=1)}.get(row["grain"], unit)
    end = moment(row["end"])
    return abs(first - meant) < unit and end - slack <= last <= end


# Recognizers-Text

def recognizers(
    sentences: list[dict], phrases: list[dict], in_sentences: list[list[dict]],
    in_phrases: list[list[dict]],
) -> Iterator[Tally]:
    days = Tally("Recognizers, dates: the day", ">= 0.85", 0.85)
    ranges = Tally("Recognizers, stretches of days: the first day", "")
    ends = Tally("Recognizers, stretches: both ends", "")
    minutes = Tally("Recognizers, times: the minute", ">= 0.80", 0.80)
    recurring = Tally("Recognizers, what repeats: found as such", "")

    def judge(kind: str, text: str, values: list[dict], found: list[dict], best: Optional[dict]):
        said = [best] if best else found
        if kind == "set":
            recurring.count(bool(best and best.get("recurrence")), text, values, said)
            return
        if kind in {"date", "datetime"}:
            is_right = any(same_day(best, value, "value") for value in values)
            days.count(is_right, text, values, said)
        if kind in {"daterange", "datetimerange"}:
            is_right = any(same_day(best, value, "start") for value in values)
            ranges.count(is_right, text, values, said)
        if kind in {"time", "datetime"}:
            is_right = any(same_minute(best, value["value"]) for value in values)
            minutes.count(is_right, text, values, said)
        if kind.endswith("range"):
            is_right = any(same_ends(best, value) for value in values)
            ends.count(is_right, text, values, said)

    for row, found in zip(sentences, in_sentences):
        for result in row["results"]:
            if result["kind"] in {"duration", "timezone"}:
                continue
            place = (result["from"], result["from"] + len(result["span"]))
            judge(result["kind"], f"{row['text']} [{result['span']}]",
                  ahead(result["values"], row), found, at(place, found))
    for row, found in zip(phrases, in_phrases):
        if row["kind"] == "duration":
            continue
        place = row["text"].lower().find(row["span"].lower())
        span = (place, place + len(row["span"])) if place >= 0 else (0, len(row["text"]))
        future = row["future"]
        value = {
            "value": next((future[key] for key in ["date", "dateTime", "time", "set"]
                           if key in future), None),
            "start": future.get("start"), "end": future.get("end"),
        }
        judge(row["kind"], row["text"], [value], found, at(span, found))
    yield from [days, ranges, ends, minutes, recurring]


def ahead(values: list[dict], row: dict) -> list[dict]:
    """Of two readings, the one ahead; both times of a clock without am and pm."""
    if len(values) < 2:
        return values
    days = {(value.get("value") or value.get("start") or value.get("end") or "")[:10]
            for value in values}
    latest = max(days)
    if "-" not in latest:
        return values
    return [value for value in values
            if (value.get("value") or value.get("start") or value.get("end") or "")
            .startswith(latest)]


def at(place: tuple[int, int], found: list[dict]) -> Optional[dict]:
    """The phrase that covers most of the place."""
    def shared(date: dict) -> int:
        return min(place[1], date["span"][1]) - max(place[0], date["span"][0])

    best = max(found, key=shared, default=None)
    return best if best and shared(best) > 0 else None


def same_day(date: Optional[dict], value: dict, key: str) -> bool:
    if date is None:
        return False
    meant = moment(value.get(key) or value.get("end"))
    found = start(date)
    if found is None or meant is None:
        return False
    # What is before or after a day may leave the day itself out.
    is_open = date["start"] is None or date["end"] is None
    return found.date() == meant.date() or is_open and abs(found - meant) <= timedelta(days=1)


def same_minute(date: Optional[dict], meant: Optional[str]) -> bool:
    if date is None or not date["start"] or not meant or "T" not in date["start"]:
        return False
    if len(meant) <= 8:
        return date["start"][11:16] == meant[:5]
    return date["start"][:16] == meant.replace(" ", "T")[:16]


def same_ends(date: Optional[dict], value: dict) -> bool:
    if date is None:
        return False
    return all(same_end(date[key], value.get(key)) for key in ["start", "end"])


def same_end(found: Optional[str], meant: Optional[str]) -> bool:
    if not found or not meant:
        return not found and not meant
    if len(meant) <= 8:
        return "T" in found and found[11:16] == meant[:5]
    apart = abs(moment(found) - moment(meant)) if moment(meant) else timedelta.max
    return apart <= timedelta(minutes=1)


# All of it

def rows(folder: Path, name: str) -> list[dict]:
    with open(folder / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def line(row: dict) -> dict:
    now = row.get("ref") or STANDARD_NOW
    moment = now if "T" in now else f"{now}T00:00:00"
    return {"text": row["text"], "now": moment, "zone": row.get("zone", "UTC")}


def measure(program: Program, shared: Path) -> tuple[list[dict], dict[str, list[str]]]:
    """Rows for the table, and what was wrong under the name of each."""
    folder = shared / "reldates"
    if not folder.is_dir():
        raise BenchError(f"there are no relative dates in {folder}")
    names = ["duckling", "negatives", "recognizers-sentences", "recognizers-phrases"]
    data = {name: rows(folder, name) for name in names}
    for row in data["duckling"]:
        row["zone"] = DUCKLING_ZONE
    lines = [line(row) for name in names for row in data[name]]
    answers = iter([answer["dates"] for answer in program.batch(["when"], lines, ENVIRONMENT)])
    found = {name: [next(answers) for _ in data[name]] for name in names}

    alarms = Alarms("texts without a date: false alarms", "<= 2", 2)
    silent = [(row, dates) for row, dates in
              zip(data["recognizers-sentences"], found["recognizers-sentences"])
              if not row["results"]]
    for row, dates in [*zip(data["negatives"], found["negatives"]), *silent]:
        alarms.count(not dates, row["text"], "nothing", dates)
    tallies = [
        *duckling(data["duckling"], found["duckling"]),
        *recognizers(data["recognizers-sentences"], data["recognizers-phrases"],
                     found["recognizers-sentences"], found["recognizers-phrases"]),
        alarms,
    ]
    result = [tally.row() for tally in tallies]
    result.append(speed(program, lines))
    return result, {tally.name: tally.wrong for tally in tallies}


def speed(program: Program, lines: list[dict]) -> dict:
    """Phrases a second of one process, its start left out; reading and writing JSON counts."""
    few = lines[:1]
    many = lines * (LEAST_SPEED_LINES // len(lines) + 1)
    least = min(program.seconds(["when"], few, ENVIRONMENT) for _ in range(5))
    taken = min(program.seconds(["when"], many, ENVIRONMENT) for _ in range(3))
    each = (len(many) - 1) / (taken - least)
    return {
        "part": "dates", "measure": "texts a second, one process", "value": round(each),
        "right": None, "of": len(many), "target": ">= 10000", "met": each >= 10_000,
    }
