"""Other search engines on the same texts, each in this process and on one thread."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import re
import shutil
import sqlite3
import sys
import time

from figures import Ranking, gain, in_order, mean
from sets import Document, Question, Speed, scifact_questions, scifact_sentences

TOP = 20
METHODS = ["lucene", "robertson", "bm25+"]
K1, B = [0.9, 1.2, 1.5], [0.4, 0.6, 0.75]


def there() -> bool:
    return all(importlib.util.find_spec(name) for name in ["bm25s", "Stemmer", "tantivy"])


def best_bm25s(
    documents: list[Document], questions: list[Question], limit: int
) -> tuple[str, list[Ranking]]:
    """The variant that ranks these very questions best, and what it found."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    names = [document.id for document in documents]
    best: tuple[float, str, list[Ranking]] = (-1.0, "", [])
    for stop_words in ["en", None]:
        def tokens(texts: list[str]):
            return bm25s.tokenize(texts, stopwords=stop_words, stemmer=stemmer, show_progress=False)

        corpus = tokens([f"{document.title} {document.text}" for document in documents])
        queries = tokens([question.text for question in questions])
        for method, k1, b in itertools.product(METHODS, K1, B):
            engine = bm25s.BM25(method=method, k1=k1, b=b)
            engine.index(corpus, show_progress=False)
            places, scores = engine.retrieve(queries, k=limit, n_threads=0, show_progress=False)
            found = [
                [(names[place], float(score)) for place, score in zip(*row)]
                for row in zip(places.tolist(), scores.tolist())
            ]
            pairs = zip(found, questions)
            value = mean([gain(in_order(hits), item.relevant, 10) for hits, item in pairs])
            if value > best[0]:
                words = "English stop words" if stop_words else "all words"
                best = (value, f"{method} k1 {k1} b {b}, {words}", found)
    return best[1], best[2]


# ------------------------------------------------------------------------------------------- speed


def plain(query: str) -> list[str]:
    """The words alone: signs mean something in the query languages of others."""
    return re.findall(r"\w+", query.lower())


class Tantivy:
    """One field with title and text, English stop words and stems, one segment, one thread."""

    name = "tantivy"

    def __init__(self, folder: str, notes: list[str]):
        import tantivy

        kinds = tantivy.Filter
        analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        for step in [
            kinds.remove_long(40), kinds.lowercase(), kinds.stopword("english"),
            kinds.stemmer("english"),
        ]:
            analyzer = analyzer.filter(step)
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("number", stored=True)
        builder.add_text_field("text", tokenizer_name="words", index_option="position")
        self.index = tantivy.Index(builder.build(), path=folder)
        self.index.register_tokenizer("words", analyzer.build())
        writer = self.index.writer(heap_size=1 << 30, num_threads=1)
        for number, text in enumerate(notes):
            writer.add_document(tantivy.Document(number=[number], text=[text]))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def prepared(self, query: str) -> str:
        return " ".join(plain(query))

    def search(self, query: str):
        parsed, _ = self.index.parse_query_lenient(query, ["text"])
        return self.searcher.search(parsed, TOP, count=False).hits

    def number(self, hit) -> int:
        return self.searcher.doc(hit[1])["number"][0]


class BM25S:
    """Lucene's variant, English stop words and PyStemmer."""

    name = "bm25s"

    def __init__(self, folder: str, notes: list[str]):
        import bm25s
        import Stemmer

        self.bm25s, self.stemmer = bm25s, Stemmer.Stemmer("english")
        self.engine = bm25s.BM25(method="lucene")
        self.engine.index(self.tokens(notes), show_progress=False)

    def tokens(self, texts: list[str]):
        return self.bm25s.tokenize(
            texts, stopwords="en", stemmer=self.stemmer, show_progress=False
        )

    def prepared(self, query: str) -> str:
        return query

    def search(self, query: str):
        places, _ = self.engine.retrieve(
            self.tokens([query]), k=TOP, n_threads=0, show_progress=False
        )
        return places[0]

    def number(self, hit) -> int:
        return int(hit)


class FTS5:
    """SQLite's own, in a file: porter stems, any of the words that are no stop words, bm25()."""

    name = "SQLite FTS5"

    def __init__(self, folder: str, notes: list[str]):
        self.stop_words = self.words_that_say_nothing()
        self.connection = sqlite3.connect(os.path.join(folder, "fts5.db"))
        self.connection.execute("PRAGMA cache_size = -65536")
        self.connection.execute("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize = porter)")
        rows = enumerate(notes)
        self.connection.executemany("INSERT INTO notes(rowid, text) VALUES (?, ?)", rows)
        self.connection.execute("INSERT INTO notes(notes) VALUES ('optimize')")
        self.connection.commit()

    @staticmethod
    def words_that_say_nothing() -> frozenset[str]:
        from bm25s.stopwords import STOPWORDS_EN

        return frozenset(STOPWORDS_EN)

    def prepared(self, query: str) -> str:
        words = [word for word in plain(query) if word not in self.stop_words] or plain(query)
        return " OR ".join(f'"{word}"' for word in words)

    def search(self, query: str):
        statement = "SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?"
        return self.connection.execute(statement, (query, TOP)).fetchall()

    def number(self, hit) -> int:
        return hit[0]


def timed(engine, queries: list[str]) -> list[float]:
    """Milliseconds of each query, after all were run once."""
    prepared = [engine.prepared(query) for query in queries]
    for query in prepared:
        engine.search(query)
    times = []
    for query in prepared:
        started = time.perf_counter()
        engine.search(query)
        times.append((time.perf_counter() - started) * 1000)
    return times


def main() -> None:
    """Run as a program, so that what engines hold in memory goes with it."""
    shared, folder = sys.argv[1:3]
    count, wanted, seed = map(int, sys.argv[3:])
    speed = Speed(scifact_sentences(shared), seed)
    claims = [question.text for question in scifact_questions(shared)]
    queries = speed.queries(claims, wanted)
    notes = [f"{title}\n\n{text}" for title, text in speed.notes(count)]
    for kind in [Tantivy, BM25S, FTS5]:
        place = os.path.join(folder, kind.__name__.lower())
        os.makedirs(place)
        started = time.perf_counter()
        engine = kind(place, notes)
        seconds = time.perf_counter() - started
        row = {"what": kind.name, "indexing_seconds": seconds, "times": timed(engine, queries)}
        print(json.dumps(row), flush=True)
        del engine
        shutil.rmtree(place)


if __name__ == "__main__":
    main()
