"""How fast searches are, and what they cost, on homes of made-up notes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from typing import Callable, Iterator

import peers
import sets
from cache import digest
from figures import mean, percentile
from homes import MODEL, Aura, BenchError, Launcher, make_home, size, write_notes

TOP = 20
# Whole processes of each kind; each takes tens of milliseconds and more.
MOST_PROCESSES = 50
CAPTURES = 5
ADDITIONS = 50
SLOW_HOME = 20_000


class Speed:
    def __init__(
        self, launcher: Launcher, program: str, loader: str, models: str, shared: str, cache: str,
        queries: int, seed: int, with_peers: bool, say: Callable[[str], None],
    ):
        self.launcher, self.program, self.loader, self.models = launcher, program, loader, models
        self.shared, self.cache, self.seed, self.say = shared, cache, seed, say
        self.with_peers = with_peers and peers.there()
        claims = [question.text for question in sets.scifact_questions(shared)]
        self.made = sets.Speed(sets.scifact_sentences(shared), seed)
        self.queries = self.made.queries(claims, queries)

    def rows(self, count: int) -> Iterator[dict]:
        folder = os.path.join(self.launcher.folder, f"speed-{count}")
        home, data = os.path.join(folder, "home"), os.path.join(folder, "data")
        aura = Aura(self.launcher, self.program, home, data, self.models)
        self.say(f"{count} notes: writing…")
        make_home(home, kind=10)
        notes = (
            (f"Papers/{number // 1000:03}-{number:06}.md", title, text)
            for number, (title, text) in enumerate(self.made.notes(count))
        )
        write_notes(home, 10, notes)
        rows = [*self.indexing(aura, count), *self.in_process(aura, count)]
        rows += self.whole(aura, "keyword")
        rows += self.new_note(aura)
        if aura.has_model and self.loader:
            rows += self.with_vectors(aura, count)
        aura.stop_models()
        shutil.rmtree(folder)
        for row in rows:
            yield {"set": "speed", "notes": count} | row

    # ------------------------------------------------------------------------------------ index

    def indexing(self, aura: Aura, count: int) -> list[dict]:
        self.say(f"{count} notes: indexing…")
        runs = [aura.run("reindex", "--words-only") for _ in range(1 if count > SLOW_HOME else 3)]
        middle = percentile([run.seconds for run in runs], 0.5)
        return [
            {"what": "index by words", "notes_a_second": round(count / middle)},
            self.index_size(aura, count, "index, words only"),
        ]

    def index_size(self, aura: Aura, count: int, what: str) -> dict:
        folder = os.path.join(aura.data, "aura", self.home_id(aura))
        return {"what": what, "megabytes_a_1000_notes": round(size(folder) / 1e3 / count, 2)}

    def home_id(self, aura: Aura) -> str:
        with open(os.path.join(aura.home, ".aura", "vault.json"), encoding="utf-8") as file:
            return json.load(file)["id"]

    # ----------------------------------------------------------------------------------- search

    def in_process(self, aura: Aura, count: int) -> list[dict]:
        rows = [self.batch(aura, "keyword", count)]
        if self.with_peers:
            self.say(f"{count} notes: tantivy, bm25s and FTS5…")
            rows += self.peers(count)
        base = next((row for row in rows if row["what"] == "tantivy"), None)
        for row in rows:
            if base:
                row["times_tantivy"] = round(row["p50_ms"] / base["p50_ms"], 2)
                row["times_tantivy_p95"] = round(row["p95_ms"] / base["p95_ms"], 2)
        return rows

    def batch(self, aura: Aura, mode: str, count: int) -> dict:
        """All queries once to warm up, then once that counts. Ids alone, as the peers give them."""
        self.say(f"{count} notes: {mode} in one process…")
        items = [{"id": place, "text": text} for place, text in enumerate(self.queries * 2)]
        run, answers = aura.batch("search", items, "--mode", mode, "--limit", str(TOP),
                                  "--notes-only-ids")
        times = [answer["milliseconds"] for answer in answers][len(self.queries):]
        return {
            "what": f"aura {mode}, in process", **spread(times),
            "peak_megabytes": round(run.kilobytes / 1024, 1),
        }

    def peers(self, count: int) -> list[dict]:
        folder = os.path.join(self.launcher.folder, "peers")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers.py")
        words = [self.shared, folder, str(count), str(len(self.queries)), str(self.seed)]
        result = subprocess.run(
            [sys.executable, "-B", script, *words], stdout=subprocess.PIPE, text=True, check=False
        )
        if result.returncode != 0:
            raise BenchError(f"the other engines ended with {result.returncode}")
        rows = map(json.loads, result.stdout.splitlines())
        return [
            {
                "what": row["what"], **spread(row["times"]),
                "notes_a_second": round(count / row["indexing_seconds"]),
            }
            for row in rows
        ]

    def whole(self, aura: Aura, mode: str) -> list[dict]:
        """From the start of a process to its end."""
        self.say(f"aura search --mode {mode}…")
        words = ["search", "--mode", mode, "--limit", str(TOP)]
        queries = self.queries[:MOST_PROCESSES]
        for query in queries[:3]:
            aura.run(*words, "--", query)
        runs = [aura.run(*words, "--", query) for query in queries]
        for run in runs:
            if mode != "keyword" and "words only" in run.errors:
                raise BenchError(f"a search by {mode} went by words only")
        return [{
            "what": f"aura search --mode {mode}", **spread([run.seconds * 1000 for run in runs]),
            "peak_megabytes": round(max(run.kilobytes for run in runs) / 1024, 1),
        }]

    def new_note(self, aura: Aura) -> list[dict]:
        """Capturing a note, and finding it."""
        self.say("capturing notes and finding them…")
        captures, searches = [], []
        for number in range(CAPTURES):
            word = f"quillwort{number}{self.seed}"
            captures.append(aura.run("capture", "--vault", "Papers", f"Ask about {word}").seconds)
            found = aura.run("search", "--mode", "keyword", word)
            searches.append(found.seconds)
            with open(found.output, encoding="utf-8") as file:
                if word not in file.read():
                    raise BenchError("a note that was just captured was not found")
        both = [sum(pair) * 1000 for pair in zip(captures, searches)]
        return [{
            "what": "a new note, captured and found", **spread(both),
            "capture_ms": round(percentile(captures, 0.5) * 1000, 2),
        }]

    # ---------------------------------------------------------------------------------- meaning

    def with_vectors(self, aura: Aura, count: int) -> list[dict]:
        sentences, vectors = self.sentence_vectors(aura)
        rows = self.one_more(aura, sentences)
        self.say(f"{count} notes: loading vectors…")
        # The notes that were captured are no sentences of the corpus.
        for name in aura.answers("search", "--notes-only-ids", "--limit", "100", "quillwort*"):
            aura.run("rm", name["path"])
        aura.run("list", "--limit", "1")
        aura.run_other(self.loader, "load", self.program, sentences, vectors)
        rows.append(self.index_size(aura, count, "index, with vectors"))
        # Starts the model server.
        aura.batch("search", [{"id": 0, "text": self.queries[0]}])
        rows += [self.batch(aura, mode, count) for mode in ["semantic", "hybrid"]]
        return rows + self.whole(aura, "hybrid")

    def one_more(self, aura: Aura, sentences: str) -> list[dict]:
        """Notes added to the index one at a time, from text in memory to the commit."""
        run = aura.run_other(self.loader, "add", self.program, sentences, str(ADDITIONS))
        with open(run.output, encoding="utf-8") as file:
            times = [float(line) for line in file]
        return [{"what": "one note more, in process", **spread(times)}]

    def sentence_vectors(self, aura: Aura) -> tuple[str, str]:
        """Files of the distinct sentences and their vectors; made once, or gone on with."""
        inputs = [*sets.scifact_files(self.shared), os.path.join(self.models, MODEL)]
        folder = os.path.join(self.cache, f"sentences-{digest(inputs)}")
        sentences = os.path.join(folder, "sentences.txt")
        partial, vectors = (os.path.join(folder, name) for name in ["partial", "vectors.f32"])
        if os.path.isfile(vectors):
            return sentences, vectors
        os.makedirs(folder, exist_ok=True)
        with open(sentences, "w", encoding="utf-8") as file:
            file.writelines(f"{sentence}\n" for sentence in self.made.sentences)
        self.say(f"reading {len(self.made.sentences)} sentences into vectors, once: minutes…")
        started = time.monotonic()
        aura.run_other(self.loader, "embed", self.program, sentences, partial)
        os.rename(partial, vectors)
        seconds = time.monotonic() - started
        self.say(f"vectors of sentences made in {seconds:.0f} s and kept in {folder}\n")
        return sentences, vectors


def spread(times: list[float]) -> dict:
    return {
        "p50_ms": round(percentile(times, 0.5), 3), "p95_ms": round(percentile(times, 0.95), 3),
        "mean_ms": round(mean(times), 3),
    }


def table(rows: list[dict]) -> list[str]:
    lines: list[str] = []
    for count in dict.fromkeys(row["notes"] for row in rows):
        name = f"{count} notes, milliseconds"
        lines.append(f"{name:44}{'p50':>9}{'p95':>9}{'× tantivy (p50, p95)':>22}{'peak MB':>9}")
        mine = [row for row in rows if row["notes"] == count]
        for row in mine:
            if "p50_ms" in row:
                ratio = ""
                if "times_tantivy" in row:
                    ratio = f"{row['times_tantivy']:.2f}, {row['times_tantivy_p95']:.2f}"
                peak = f"{row['peak_megabytes']:.0f}" if "peak_megabytes" in row else ""
                times = f"{row['p50_ms']:9.2f}{row['p95_ms']:9.2f}"
                lines.append(f"{row['what']:44}{times}{ratio:>22}{peak:>9}".rstrip())
        for row in mine:
            if "megabytes_a_1000_notes" in row:
                lines.append(f"{row['what']}: {row['megabytes_a_1000_notes']} MB a 1,000 notes")
            elif "notes_a_second" in row and "p50_ms" not in row:
                lines.append(f"{row['what']}: {row['notes_a_second']:,} notes a second")
        lines.append("")
    if any("hybrid" in row["what"] for row in rows):
        lines.append("vectors of these notes are means of the vectors of their sentences")
    else:
        lines.append("search by meaning: not measured (no embedding model, or no loader)")
    return lines
