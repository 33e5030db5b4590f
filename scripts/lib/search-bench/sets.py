"""The two sets of texts that are measured with, read from where they lie; nothing is copied."""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import dataclass, field
from typing import Iterator


@dataclass
class Document:
    id: str
    title: str
    text: str


@dataclass
class Question:
    id: str
    text: str
    relevant: set[str] = field(default_factory=set)


@dataclass
class Turn:
    id: str
    moment: str
    text: str


@dataclass
class Conversation:
    name: str
    turns: list[Turn]
    questions: list[Question]


def lines(path: str) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def scifact_files(folder: str) -> list[str]:
    """The corpus, in order; empty when the set is not there."""
    folder = os.path.join(folder, "scifact")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    wanted = [name for name in names if re.fullmatch(r"corpus-\d+\.jsonl", name)]
    return [os.path.join(folder, name) for name in wanted]


def scifact_documents(folder: str) -> list[Document]:
    return [
        Document(item["id"], item["title"], item["text"])
        for path in scifact_files(folder)
        for item in lines(path)
    ]


def scifact_questions(folder: str) -> list[Question]:
    """Every claim that has a judgement."""
    questions: dict[str, Question] = {}
    with open(os.path.join(folder, "scifact", "queries.tsv"), encoding="utf-8") as file:
        for line in file:
            number, text = line.rstrip("\n").split("\t")
            questions[number] = Question(number, text)
    with open(os.path.join(folder, "scifact", "qrels.tsv"), encoding="utf-8") as file:
        for line in file:
            query, document, relevance = line.split()
            if int(relevance) > 0 and query in questions:
                questions[query].relevant.add(document)
    return [question for question in questions.values() if question.relevant]


def sentences(text: str) -> list[str]:
    """Cut after a full stop and a blank before a capital; fragments are left out."""
    found = re.split(r"(?<=[a-z0-9)\]][.?!]) +(?=[A-Z])", " ".join(text.split()))
    return [sentence for sentence in found if 5 <= len(sentence.split()) <= 80]


def scifact_sentences(folder: str) -> list[str]:
    """The distinct sentences of all abstracts, in the order of the corpus."""
    found = (item for document in scifact_documents(folder) for item in sentences(document.text))
    return list(dict.fromkeys(found))


def conversations(folder: str) -> list[Conversation]:
    """LoCoMo, with the questions that have an answer and evidence; empty when it is not there."""
    folder = os.path.join(folder, "locomo-dev")
    if not os.path.isdir(folder):
        return []
    found: dict[str, Conversation] = {}
    for item in lines(os.path.join(folder, "turns.jsonl")):
        talk = found.setdefault(item["conv"], Conversation(item["conv"], [], []))
        text = f"{item['speaker']}: {' '.join(item['text'].split())}"
        talk.turns.append(Turn(item["id"], item["date"] + ":00Z", text))
    for item in lines(os.path.join(folder, "qa.jsonl")):
        if item["category"] != "adversarial" and item["evidence"]:
            question = Question(item["qid"], item["question"], set(item["evidence"]))
            found[item["conv"]].questions.append(question)
    return list(found.values())


@dataclass
class Speed:
    """Made-up notes and queries; the same seed gives the same ones."""

    sentences: list[str]
    seed: int

    # With the last sentence and the title a note has about 150 words.
    WORDS_PER_NOTE = 132
    TITLE_WORDS = 8
    HELD_OUT = 500
    QUERY_WORDS = 30

    def __post_init__(self) -> None:
        self.shuffled = self.sentences[:]
        random.Random(self.seed).shuffle(self.shuffled)

    def notes(self, count: int) -> Iterator[tuple[str, str]]:
        """Title and text; the sentences of a text are paragraphs, so that no passage cuts one."""
        chance = random.Random(self.seed + 1)
        pool = self.shuffled[self.HELD_OUT:]
        place = len(pool)
        for _ in range(count):
            text: list[str] = []
            words = 0
            while words < self.WORDS_PER_NOTE:
                if place == len(pool):
                    chance.shuffle(pool)
                    place = 0
                text.append(pool[place])
                words += len(pool[place].split())
                place += 1
            title = " ".join(chance.choice(pool).split()[: self.TITLE_WORDS]).rstrip(".?!,;:")
            yield title, "\n\n".join(text)

    def queries(self, claims: list[str], count: int) -> list[str]:
        """Claims, and sentences that no note has, in turn."""
        chance = random.Random(self.seed + 2)
        unseen = self.shuffled[: self.HELD_OUT]
        kinds = [claims[:], [text for text in unseen if len(text.split()) <= self.QUERY_WORDS]]
        for kind in kinds:
            chance.shuffle(kind)
        return [kinds[number % 2][number // 2 % len(kinds[number % 2])] for number in range(count)]
