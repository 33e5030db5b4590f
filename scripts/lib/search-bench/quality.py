"""How well searches rank: SciFact beside bm25s, and the evidence of LoCoMo's questions."""

from __future__ import annotations

import json
import os
from typing import Callable

import peers
import sets
from cache import HomeCache
from figures import Ranking, differences, gain, in_order, mean, recall
from homes import Aura, make_home, write_notes

LIMIT = 100


class Quality:
    def __init__(
        self, shared: str, cache: HomeCache, modes: list[str], seed: int,
        say: Callable[[str], None],
    ):
        self.shared, self.cache, self.seed, self.say = shared, cache, seed, say
        self.modes = [mode for mode in modes if mode == "keyword" or cache.has_model]
        if self.modes != modes:
            say("search by meaning: not measured (no embedding model)\n")

    # ---------------------------------------------------------------------------------- SciFact

    def scifact(self, with_peers: bool) -> list[dict]:
        documents = sets.scifact_documents(self.shared)
        questions = sets.scifact_questions(self.shared)

        def make(aura: Aura) -> None:
            make_home(aura.home, kind=1)
            notes = ((f"Papers/{item.id}.md", item.title, item.text) for item in documents)
            write_notes(aura.home, 1, notes)

        aura = self.cache.home("scifact", sets.scifact_files(self.shared), make)
        texts = [question.text for question in questions]
        rankings: dict[str, list[Ranking]] = {}
        for mode in self.modes:
            self.say(f"SciFact: {len(texts)} claims by {mode}…")
            found = aura.rankings(mode, texts, LIMIT)
            rankings[f"aura {mode}"] = [
                [(os.path.basename(path)[:-3], score) for path, score in hits] for hits in found
            ]
        best = None
        if with_peers and peers.there():
            self.say("SciFact: bm25s and its variants…")
            best, rankings["bm25s"] = peers.best_bm25s(documents, questions, LIMIT)
        return self.scifact_rows(questions, rankings, best)

    def scifact_rows(
        self, questions: list[sets.Question], rankings: dict[str, list[Ranking]], best: str | None
    ) -> list[dict]:
        gains: dict[str, list[float]] = {}
        rows = []
        for name, found in rankings.items():
            ordered = [in_order(ranking) for ranking in found]
            pairs = list(zip(ordered, questions))
            gains[name] = [gain(names, item.relevant, 10) for names, item in pairs]
            row = {
                "set": "scifact", "what": name, "queries": len(questions),
                "ndcg_10": round(mean(gains[name]), 4),
                "recall_100": round(mean([recall(n, q.relevant, LIMIT) for n, q in pairs]), 4),
            }
            rows.append(row | ({"variant": best} if name == "bm25s" else {}))
        wanted = [
            ("aura hybrid", "aura keyword"), ("aura hybrid", "aura semantic"),
            ("aura keyword", "bm25s"), ("aura hybrid", "bm25s"),
        ]
        self.say("SciFact: resampling…")
        pairs = {
            f"{left} − {right}": (gains[left], gains[right])
            for left, right in wanted if left in gains and right in gains
        }
        for name, (middle, low, high) in differences(pairs, self.seed).items():
            rows.append({
                "set": "scifact", "difference": name, "ndcg_10": round(middle, 4),
                "low": round(low, 4), "high": round(high, 4),
            })
        return rows

    # ----------------------------------------------------------------------------------- LoCoMo

    def locomo(self) -> list[dict]:
        """Each conversation is a home of its own: nobody else's notes are asked."""
        talks = sets.conversations(self.shared)
        scores: dict[str, list[tuple[float, float]]] = {mode: [] for mode in self.modes}
        for number, talk in enumerate(talks):
            aura = self.conversation(talk, number)
            texts = [question.text for question in talk.questions]
            with open(turns_file(aura), encoding="utf-8") as file:
                turns = json.load(file)
            for mode in self.modes:
                self.say(f"LoCoMo, {talk.name}: {len(texts)} questions by {mode}…")
                for hits, question in zip(aura.rankings(mode, texts, 10), talk.questions):
                    names = in_order([(turns[path], score) for path, score in hits])
                    found = [recall(names, question.relevant, depth) for depth in (5, 10)]
                    scores[mode].append((found[0], found[1]))
        return [
            {
                "set": "locomo", "what": f"aura {mode}", "queries": len(found),
                "recall_5": round(mean([five for five, _ in found]), 4),
                "recall_10": round(mean([ten for _, ten in found]), 4),
            }
            for mode, found in scores.items() if found
        ]

    def conversation(self, talk: sets.Conversation, number: int) -> Aura:
        """Turns are captured as a person would, each at its time."""

        def make(aura: Aura) -> None:
            make_home(aura.home, kind=2 + number)
            items = (
                {"id": turn.id, "text": turn.text, "now": turn.moment, "vault": "Personal"}
                for turn in talk.turns
            )
            _, answers = aura.batch("capture", items)
            turns = {answer["path"]: answer["id"] for answer in answers}
            with open(turns_file(aura), "w", encoding="utf-8") as file:
                json.dump(turns, file)

        inputs = [os.path.join(self.shared, "locomo-dev", "turns.jsonl")]
        return self.cache.home(f"locomo-{talk.name}", inputs, make)


def turns_file(aura: Aura) -> str:
    """Which turn each note is."""
    return os.path.join(aura.home, ".aura", "turns.json")


def table(rows: list[dict]) -> list[str]:
    lines = []
    scifact = [row for row in rows if row["set"] == "scifact"]
    scores = [row for row in scifact if "what" in row]
    if scores:
        name = f"SciFact, {scores[0]['queries']} claims"
        lines.append(f"{name:44}{'nDCG@10':>9}{'recall@100':>12}")
    for row in scores:
        name = row["what"] + (f", {row['variant']}" if row.get("variant") else "")
        lines.append(f"{name:44}{row['ndcg_10']:9.4f}{row['recall_100']:12.4f}")
    for row in scifact:
        if "difference" in row:
            span = f"95 % between {row['low']:+.4f} and {row['high']:+.4f}"
            lines.append(f"{row['difference']:44}{row['ndcg_10']:+9.4f}  {span}")
    talks = [row for row in rows if row["set"] == "locomo"]
    if talks:
        name = f"LoCoMo, {talks[0]['queries']} questions: evidence"
        lines += ["", f"{name:44}{'recall@5':>9}{'recall@10':>12}"]
    for row in talks:
        lines.append(f"{row['what']:44}{row['recall_5']:9.4f}{row['recall_10']:12.4f}")
    return lines
