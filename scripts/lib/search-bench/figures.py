"""Measures of ranking, as trec_eval counts them, and of time."""

from __future__ import annotations

import math
import random
import statistics
from typing import Sequence

Ranking = list[tuple[str, float]]


def in_order(ranking: Ranking) -> list[str]:
    """Best score first; equal scores by name, the later one first, whatever order they came in."""
    by_name = sorted(ranking, key=lambda item: item[0], reverse=True)
    return [name for name, _ in sorted(by_name, key=lambda item: item[1], reverse=True)]


def gain(names: Sequence[str], relevant: set[str], depth: int) -> float:
    """nDCG of judgements that say yes or no."""
    found = sum(
        1 / math.log2(rank + 2) for rank, name in enumerate(names[:depth]) if name in relevant
    )
    best = sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(relevant))))
    return found / best if best else 0.0


def recall(names: Sequence[str], relevant: set[str], depth: int) -> float:
    return len(relevant.intersection(names[:depth])) / len(relevant)


def mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that so many of all are not above."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def differences(
    pairs: dict[str, tuple[Sequence[float], Sequence[float]]], seed: int, samples: int = 10_000
) -> dict[str, tuple[float, float, float]]:
    """Mean of left minus right, and where 95 % of the means of resampled queries lie.

    All pairs are resampled by the same draws.
    """
    chance = random.Random(seed)
    apart = {name: [a - b for a, b in zip(*pair)] for name, pair in pairs.items()}
    means: dict[str, list[float]] = {name: [] for name in apart}
    count = len(next(iter(apart.values()), []))
    for _ in range(samples if count else 0):
        drawn = chance.choices(range(count), k=count)
        for name, values in apart.items():
            means[name].append(sum(map(values.__getitem__, drawn)) / count)
    return {
        name: (mean(apart[name]), percentile(found, 0.025), percentile(found, 0.975))
        for name, found in means.items()
    }
