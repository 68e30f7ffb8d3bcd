"""Values and tables of Python as TOML text."""

import json
import math

import numpy as np

from sinew._errors import ScenarioError


def value_text(value, key="value"):
    """One value as TOML."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        value = float(value)
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(item, key) for item in value) + "]"
    if isinstance(value, (float,)) or value is None or not isinstance(value, dict):
        raise ScenarioError(f"{key}: {value!r} is no value of a scenario: give a number, a text, true or false, or a list of them")
    raise ScenarioError(f"{key}: a table cannot stand here: give a number, a text, true or false, or a list of them")


def set_text(value, key):
    """One value as `--set` takes it: a text is meant as it is."""
    return value if isinstance(value, str) else value_text(value, key)


def _name(word):
    return word if word.replace("_", "").replace("-", "").isalnum() and word.isascii() else json.dumps(word)


def tables_text(tables, path=()):
    """Nested dictionaries as the text of a scenario file."""
    lines, inner = [], []
    for key, value in tables.items():
        if isinstance(value, dict):
            inner.append((key, value))
        else:
            lines.append(f"{_name(key)} = {value_text(value, '.'.join([*path, key]))}")
    text = "\n".join(lines) + ("\n" if lines else "")
    for key, value in inner:
        here = (*path, key)
        text += f"\n[{'.'.join(_name(word) for word in here)}]\n" + tables_text(value, here)
    return text
