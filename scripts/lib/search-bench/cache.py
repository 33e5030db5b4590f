"""Homes whose notes have their vectors, kept between runs: reading them takes the model minutes.

A home lies in a folder whose name follows from its inputs. Each run works on a copy, so that a
program that changes the index leaves the kept one as it is. An index that a program cannot use is
made anew by that program and kept beside the others.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from typing import Callable

from homes import MODEL, Aura, BenchError, Launcher, link_tree

# Raised when notes are written, or sentences cut, in another way.
FORMAT = "1"
MOST_INDEXES = 6


def digest(paths: list[str], *words: str) -> str:
    sum = hashlib.sha256("\n".join([FORMAT, *words]).encode())
    for path in paths:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                sum.update(piece)
    return sum.hexdigest()[:16]


class HomeCache:
    def __init__(
        self, folder: str, launcher: Launcher, program: str, models: str, say: Callable[[str], None]
    ):
        self.folder, self.launcher, self.program, self.say = folder, launcher, program, say
        self.models = models
        self.has_model = os.path.isfile(os.path.join(models, MODEL))
        model = [os.path.join(models, MODEL)] if self.has_model else []
        self.model_digest, self.program_digest = digest(model), digest([program])

    def home(self, name: str, inputs: list[str], make: Callable[[Aura], None]) -> Aura:
        """The home of this name, with vectors where there is a model, to be worked with.

        `make` writes the notes of a home that is not there yet.
        """
        kept = os.path.join(self.folder, f"{name}-{digest(inputs, self.model_digest)}")
        if not os.path.isdir(kept):
            self.write(name, kept, make)
        home = self.path(name, "home")
        link_tree(os.path.join(kept, "home"), home)
        if not self.has_model:
            aura = self.aura(home, self.path(name, "data"))
            aura.run("reindex", "--words-only")
            return aura
        for index in self.indexes(kept):
            data = self.path(name, index)
            shutil.copytree(os.path.join(kept, index), data)
            aura = self.aura(home, data)
            if aura.is_embedded():
                return aura
        return self.embedded(name, kept, home)

    def embedded(self, name: str, kept: str, home: str) -> Aura:
        data = self.path(name, "data-new")
        aura = self.aura(home, data)
        self.say(f"reading the notes of {name} into vectors, once: this takes minutes…")
        started = time.monotonic()
        aura.run("reindex")
        if not aura.is_embedded():
            raise BenchError(f"the notes of {name} did not all get a vector")
        self.keep(data, os.path.join(kept, f"index-{self.program_digest}"))
        self.say(f"{name}: vectors made in {time.monotonic() - started:.0f} s and kept in {kept}\n")
        return aura

    def write(self, name: str, kept: str, make: Callable[[Aura], None]) -> None:
        home, data = self.path(name, "made"), self.path(name, "made-data")
        self.say(f"writing the notes of {name}…")
        make(self.aura(home, data))
        # The notes come last to their place: a home that is there is whole.
        os.makedirs(self.folder, exist_ok=True)
        partial = f"{kept}.{os.getpid()}.partial"
        shutil.copytree(home, os.path.join(partial, "home"))
        try:
            os.rename(partial, kept)
        except OSError:
            # Another run was faster.
            shutil.rmtree(partial)

    def keep(self, data: str, place: str) -> None:
        partial = f"{place}.{os.getpid()}.partial"
        shutil.copytree(os.path.join(data, "aura"), os.path.join(partial, "aura"))
        shutil.rmtree(place, ignore_errors=True)
        os.rename(partial, place)
        for old in self.indexes(os.path.dirname(place))[MOST_INDEXES:]:
            shutil.rmtree(os.path.join(os.path.dirname(place), old))

    def indexes(self, kept: str) -> list[str]:
        """This program's own first, then those of others, latest first."""
        names = [
            name for name in os.listdir(kept)
            if name.startswith("index-") and not name.endswith(".partial")
        ]
        own = f"index-{self.program_digest}"
        age = {name: os.path.getmtime(os.path.join(kept, name)) for name in names}
        return sorted(names, key=lambda name: (name != own, -age[name]))

    def aura(self, home: str, data: str) -> Aura:
        return Aura(self.launcher, self.program, home, data, self.models)

    def path(self, *names: str) -> str:
        return os.path.join(self.launcher.folder, "homes", "-".join(names))
