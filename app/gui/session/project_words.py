"""What is wrong in a project of anybody, in words for who did not write it by hand. Knows no Qt."""

from __future__ import annotations

from pydantic import ValidationError

BACKUP = "open a backup copy, if there is one"
_KINDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a smaller number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "a text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list, [...]",
    "list_type": "a list, [...]",
    "dict_type": "a table, {...}",
    "model_type": "a table, {...}",
    "model_attributes_type": "a table, {...}",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "at least {:,}"),
    "greater_than": ("gt", "more than {:,}"),
    "less_than_equal": ("le", "at most {:,}"),
    "less_than": ("lt", "less than {:,}"),
    "string_too_long": ("max_length", "at most {:,} letters"),
    "too_long": ("max_length", "at most {:,} entries"),
    "too_short": ("min_length", "at least {:,} entries"),
    "literal_error": ("expected", "{}"),
}


def first_mistake(error: ValidationError) -> tuple[str, str]:
    """Return the key of the first mistake, and what is expected there."""
    first = error.errors(include_input=False, include_url=False)[0]
    kind, context = first["type"], first.get("ctx", {})
    key = ".".join(map(str, first["loc"]))
    if kind == "missing":
        return key, "is missing"
    if kind == "extra_forbidden":
        return key, "is a key that no project has"
    if kind in _KINDS:
        return key, f"expected {_KINDS[kind]}"
    if kind in _BOUNDS:
        bound, words = _BOUNDS[kind]
        return key, f"expected {words.format(context[bound])}"
    return key, str(context.get("error", first["msg"]))
