"""What a key of a profile means in words, as its declaration in models/ has them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


def first_sentence(text: str) -> str:
    """Return the first sentence of what a key means, without its stop, and what it defaults to."""
    return text.partition(". ")[0].partition("; ")[0].rstrip(".")


def meaning(model: BaseModel, key: str) -> tuple[str, str]:
    """Return what a dotted key of a model means, and of what it is: "Mean time to turn ...", "servers, data".

    The last words of the key where its declaration is not reached, as what is usual was left out of what was loaded.
    """
    value: Any = model
    names: list[str] = []
    text = key
    steps = [step.strip('"') for step in key.split(".")]
    top = steps[0]
    while steps:
        if isinstance(value, BaseModel):
            name, used = _field(value, steps)
            if not used:
                return _last(key), ", ".join(names) or top
            text = type(value).model_fields[name].description or key
            value, steps = getattr(value, name), steps[used:]
            continue
        step, steps = steps[0], steps[1:]
        if isinstance(value, dict):
            names.append(step)
            value = value.get(step)
        elif isinstance(value, tuple) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
            names.append(getattr(value, "name", step))
        else:
            return _last(key), ", ".join(names) or top
    return text, ", ".join(names) or top


def _last(key: str) -> str:
    return " ".join(key.split(".")[-2:]).replace("_", " ")


def _field(model: BaseModel, steps: list[str]) -> tuple[str, int]:
    """Return the field that the first steps name, and how many they are: a key may hold dots; "", 0 for none."""
    for used in range(len(steps), 0, -1):
        text = ".".join(steps[:used])
        for name, info in type(model).model_fields.items():
            if text in (name, info.alias):
                return name, used
    return "", 0


def warned(model: BaseModel, key: str, message: str) -> str:
    """Return a piece of advice as a sentence's end; one that begins with a value says what has it."""
    return f"{about(model, key)}: {message}" if message.startswith("'") else message


def about(model: BaseModel, key: str) -> str:
    """Return what a piece of advice is about in words; the key where nobody declared it."""
    return first_sentence(meaning(model, key)[0])
