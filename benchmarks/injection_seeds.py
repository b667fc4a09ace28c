"""Sentences written for training: templates with slots, filled at random with a fixed seed."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("injection_seeds")
SEED: Final = 20_261_130
FILLED_MAX: Final = 24  # of one template; a template without slots gives one sentence
_SLOT: Final = re.compile(r"<([a-z]+)>")
_DEFINITION: Final = re.compile(r"([a-z]+) = (.+)")


def sentences(name: str) -> list[str]:
    """Return the sentences of one file of `injection_seeds/`, each once, in order of its templates.

    Args:
        name: such as `attacks_pt`.
    """
    slots: dict[str, list[str]] = {}
    templates: list[str] = []
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        definition = _DEFINITION.fullmatch(line)
        if definition:
            slots[definition[1]] = definition[2].split(" | ")
        elif line and not line.startswith("#"):
            templates.append(line)
    draw = random.Random(f"{SEED} {name}")
    return list(dict.fromkeys(filled for template in templates for filled in _fill(template, slots, draw)))


def _fill(template: str, slots: dict[str, list[str]], draw: random.Random) -> list[str]:
    known = [slot for slot in _SLOT.findall(template) if slot in slots]
    times = min(FILLED_MAX, max(1, 6 * sum(1 for _ in known)))
    filled = [_SLOT.sub(lambda match: draw.choice(slots[match[1]]) if match[1] in slots else match[0], template) for _ in range(times)]
    return [text[0].upper() + text[1:] + draw.choice(("", ".")) for text in filled]
