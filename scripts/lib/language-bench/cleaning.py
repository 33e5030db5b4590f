"""How well dictated text is cleaned: words wrong before and after, fillers left, words lost.

The samples are Tests/Fixtures/speech/disfluent.jsonl, one JSON object a line: "spoken" as a
recogniser would write it, "clean" as a person would, the "kind" of what is wrong with it, and the
"part": "dev" samples were there while the rules were made, "held" ones were written afterwards.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess

SAMPLES = pathlib.Path(__file__).parents[3] / "Tests/Fixtures/speech/disfluent.jsonl"

FILLERS = {"um", "umm", "uh", "uhh", "er", "erm", "hmm", "mm"}
DENIALS = set(
    "no not never none nothing nobody nowhere neither nor without cannot".split()
)
DAYS = set(
    """monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays today tomorrow yesterday tonight january february march april may june
    july august september october november december""".split()
)
NUMBERS = set(
    """zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million dozen noon midnight half quarter""".split()
)


def exact(text):
    """Words with their capitals and signs."""
    return text.split()


def folded(text):
    """Words alone: lower case, no signs but those inside a word."""
    words = (re.sub(r"^\W+|\W+$", "", word.lower()) for word in text.replace("—", " ").split())
    return [word for word in words if word]


def distance(one, other):
    """The fewest words to be put in, left out or changed."""
    row = list(range(len(other) + 1))
    for count, left in enumerate(one, 1):
        diagonal, row[0] = row[0], count
        for index, right in enumerate(other, 1):
            best = min(row[index] + 1, row[index - 1] + 1, diagonal + (left != right))
            diagonal, row[index] = row[index], best
    return row[-1]


def protected(text):
    """Names, numbers, days, months and denials, counted."""
    found = collections.Counter()
    begins = True
    for chunk in text.replace("—", " ").split():
        core = re.sub(r"^\W+|\W+$", "", chunk)
        word = core.lower()
        is_name = core[:1].isupper() and not begins and not re.fullmatch(r"i('\w+)?", word)
        if (
            is_name
            or word in DENIALS
            or word.endswith("n't")
            or word in DAYS
            or word in NUMBERS
            or any(letter.isdigit() for letter in word)
        ):
            found[word] += 1
        begins = chunk.rstrip("\"')")[-1:] in ".!?"
    return found


def fillers(text):
    words = folded(text)
    return sum(word in FILLERS for word in words)


def cleaned(program, texts):
    lines = "".join(
        json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts)
    )
    run = subprocess.run(
        [program, "clean", "--batch"], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line)["text"] for line in run.stdout.splitlines()]


def rows(program, samples=SAMPLES):
    """A row for each part of the samples, one for all, and one for each kind.

    Rates are words wrong for one word of the clean text: "wer" with case and signs folded,
    "wer_exact" with them; "untouched" is the text as it came.
    """
    with open(samples, encoding="utf-8") as file:
        items = [json.loads(line) for line in file if line.strip()]
    results = cleaned(program, [item["spoken"] for item in items])
    groups = collections.defaultdict(list)
    for item, result in zip(items, results, strict=True):
        groups[item["part"]].append((item, result))
        groups["all"].append((item, result))
        groups[f"kind {item['kind']}"].append((item, result))
    return [row(name, pairs) for name, pairs in groups.items()]


def row(name, pairs):
    def rate(words, texts):
        errors = sum(
            distance(words(text), words(item["clean"])) for (item, _), text in zip(pairs, texts)
        )
        return errors / max(1, sum(len(words(item["clean"])) for item, _ in pairs))

    spoken = [item["spoken"] for item, _ in pairs]
    results = [result for _, result in pairs]
    lost = [
        word
        for item, result in pairs
        for word in (protected(item["clean"]) - protected(result)).elements()
    ]
    return {
        "name": name,
        "samples": len(pairs),
        "untouched_wer": rate(folded, spoken),
        "wer": rate(folded, results),
        "untouched_wer_exact": rate(exact, spoken),
        "wer_exact": rate(exact, results),
        "same": sum(result == item["clean"] for item, result in pairs),
        "fillers_before": sum(map(fillers, spoken)),
        "fillers": sum(map(fillers, results)),
        "lost": lost,
    }


def table(rows):
    lines = [
        "samples            n  same   WER before  after   with signs before  after   fillers  lost"
    ]
    for row in rows:
        lines.append(
            f"{row['name']:<17}{row['samples']:>3}{row['same']:>6}"
            f"{row['untouched_wer']:>12.1%}{row['wer']:>8.1%}"
            f"{row['untouched_wer_exact']:>18.1%}{row['wer_exact']:>8.1%}"
            f"{row['fillers_before']:>5} →{row['fillers']:>3}{len(row['lost']):>6}"
        )
    return lines


def misses(rows):
    """What falls short of the target, in words; empty when nothing does."""
    found = []
    for row in rows:
        if row["lost"]:
            found.append(f"{row['name']}: lost {', '.join(row['lost'])}")
        if row["fillers"]:
            found.append(f"{row['name']}: {row['fillers']} fillers left")
        if row["name"] in ("dev", "held", "all") and row["wer"] > row["untouched_wer"] / 2:
            found.append(f"{row['name']}: more than half of the wrong words are left")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="aura", help="the built aura")
    parser.add_argument("--samples", default=SAMPLES, help="the samples, as JSON lines")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    found = rows(options.program, options.samples)
    print(json.dumps(found, indent=1) if options.json else "\n".join(table(found)))
    short = misses(found)
    for line in short:
        print(line)
    raise SystemExit(1 if short else 0)


if __name__ == "__main__":
    main()
