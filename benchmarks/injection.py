"""What does the screen find of planted instructions, what does it take for one, and what does it cost?

    python -m benchmarks.injection --dataset DIR [--json FILE] [--show N]
    python -m benchmarks.injection --dataset DIR --cross-fit DATA [--leave-out]
    python -m benchmarks.injection --speed

DIR is one folder: labelled texts, or conversations and observations (all benign). A text is *flagged* when a signal reaches 0.5, the one
threshold at which policy acts. `detection` is the flagged share of malicious texts, `false_positive_rate` that of benign ones; null where a
set has none.

The packaged model was trained on the public halves of the labelled sets, so that detection on these is not that of unseen texts. With
`--cross-fit` the learned screen is trained anew on the folders of DATA for each fold, without the families (texts, pairs, templates) of the
texts that it judges; with `--leave-out` without their whole set. notinject, conversations and the four hundred ordinary memories are in no
training. Rules are the same in all.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.harness import write_json
from benchmarks.injection_crossfit import fold_models
from benchmarks.injection_sets import Sample, load_samples
from governance.inspection.inspect import inspect
from governance.inspection.learned import Model
from governance.inspection.signals import SignalCode

FLAGGED: Final = 0.5  # MODERATE of governance/policy/thresholds.py
Figures = dict[str, float | int | None]
SPEED_WORDS: Final = (10, 50, 200, 1_000)
REPEATS: Final = 30


def flagged(text: str, model: Model | None = None, *, rules: bool = True) -> bool:
    """Whether a signal reaches the threshold; with `rules` False only the learned screen is asked."""
    return any(s.score >= FLAGGED and (rules or s.code is SignalCode.LEARNED) for s in inspect(text, model))


def figures(samples: Sequence[Sample], hits: Sequence[bool]) -> Figures:
    """Shares, with how many texts they are of."""
    found = [hit for sample, hit in zip(samples, hits, strict=True) if sample.malicious]
    alarms = [hit for sample, hit in zip(samples, hits, strict=True) if not sample.malicious]
    return {
        "detection": round(sum(found) / len(found), 4) if found else None,
        "false_positive_rate": round(sum(alarms) / len(alarms), 4) if alarms else None,
        "malicious": len(found),
        "benign": len(alarms),
    }


def by(key: str, samples: Sequence[Sample], hits: Sequence[bool]) -> dict[str, Figures]:
    """Figures for each value of a field of the samples."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, sample in enumerate(samples):
        groups[str(getattr(sample, key)) or "none"].append(at)
    return {name: figures([samples[at] for at in group], [hits[at] for at in group]) for name, group in sorted(groups.items())}


def cross_fitted(folder: Path, samples: Sequence[Sample], data: Path, *, by_set: bool) -> list[bool]:
    """Judge each sample by the model that saw nothing of its family; one that no fold holds is judged by all models, and most decide."""
    votes: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for tested, model in fold_models(data, by_set=by_set):
        held = {sample.id for sample in tested if sample.dataset == folder.name}
        anywhere = not any(sample.dataset == folder.name and sample.id in held for sample in samples) and not by_set
        for sample in samples:
            if sample.id in held or anywhere:
                votes[sample.id, sample.text].append(flagged(sample.text, model))
    return [statistics.mean(votes[sample.id, sample.text] or [False]) > 0.5 for sample in samples]


def speed() -> dict[str, float]:
    """Median milliseconds of one inspection, by the number of words; ordinary English and Portuguese words."""
    words = (
        "before the release run all tests and send a short report to the team sempre que um cliente reclamar abra um chamado e avise " * 60
    ).split()
    timed: dict[str, float] = {}
    for count in SPEED_WORDS:
        sentences = [" ".join(words[at : min(at + 12, count)]) for at in range(0, count, 12)]
        text = ". ".join(sentences)
        inspect(text)
        spent = []
        for _ in range(REPEATS):
            started = time.perf_counter()
            inspect(text)
            spent.append(time.perf_counter() - started)
        timed[f"{count}_words_ms"] = round(statistics.median(spent) * 1000, 3)
    return timed


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, default=None)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--cross-fit", type=Path, default=None, metavar="DATA", help="train without what is judged; DATA holds all folders")
    parser.add_argument("--leave-out", action="store_true", help="with --cross-fit: leave the whole set out")
    parser.add_argument("--show", type=int, default=0, help="print so many misses and false alarms by id")
    parser.add_argument("--speed", action="store_true", help="time inspections and end")
    arguments = parser.parse_args()
    if arguments.speed:
        timed = speed()
        print("\n".join(f"{name:>16}  {value}" for name, value in timed.items()))
        write_json(arguments.json, dict(timed), {})
        return
    if arguments.dataset is None:
        parser.error("--dataset is needed, or --speed")
    samples = load_samples(arguments.dataset)
    if arguments.cross_fit is None:
        fitted, hits = "packaged model", [flagged(sample.text) for sample in samples]
    else:
        fitted = "one set left out" if arguments.leave_out else "cross-fitted by families"
        hits = cross_fitted(arguments.dataset, samples, arguments.cross_fit, by_set=arguments.leave_out)
    headline = figures(samples, hits)
    languages, categories = by("lang", samples, hits), by("category", samples, hits)
    print(f"{arguments.dataset.name}: {len(samples)} texts, {fitted}")
    for title, rows in (("headline", {"": headline}), ("language", languages), ("category", categories)):
        for name, row in rows.items():
            print(f"{title:>9} {name:>34}  " + "  ".join(f"{key} {'-' if value is None else value}" for key, value in row.items()))
    wrong = [(s, hit) for s, hit in zip(samples, hits, strict=True) if s.malicious != hit]
    for sample, hit in wrong[: arguments.show]:
        print(f"{'false alarm' if hit else 'missed':>12}  {sample.id}  {sample.lang}  {sample.category}")
    rest = {"dataset": arguments.dataset.name, "fitted": fitted, "threshold": FLAGGED, "by_language": languages, "by_category": categories}
    write_json(arguments.json, dict(headline), rest)


if __name__ == "__main__":
    main()
