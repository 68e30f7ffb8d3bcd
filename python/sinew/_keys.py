"""Tables of a scenario as objects: ``s.gait.Ah = 0.4``. Their docstrings are made from what ``sinew show`` prints."""

import keyword

from sinew._errors import ScenarioError


def key_doc(entry):
    """Meaning, unit, range and present value of a key, in a line."""
    unit = f"[{entry['unit']}] " if entry["unit"] else ""
    more = [entry["range"]] if entry["range"] else []
    if " | " in entry["type"]:
        more.append(f"one of {entry['type']}")
    if entry["live"]:
        more.append("live")
    if entry["degrees"]:
        more.append("degrees: _deg behind its name")
    return f"{unit}{entry['doc']}; {'; '.join([*more, 'now ' + entry['value']])}"


def names_below(keys, prefix):
    """What may follow a prefix: the next word of each key, in their order, each once."""
    words = (key[len(prefix):].split(".")[0] for key in keys if key.startswith(prefix))
    return list(dict.fromkeys(words))


def _property(scenario, key, entry):
    def give(_):
        return scenario[key]

    def take(_, value):
        scenario[key] = value
    return property(give, take, doc=key_doc(entry))


class Table:
    """Keys of a scenario in one table, each an attribute. ``help(s.gait)`` tells what they mean."""

    def __init__(self, scenario, name):
        object.__setattr__(self, "_scenario", scenario)
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name):
        return find_attribute(self._scenario, f"{self._name}.", name)

    def __setattr__(self, name, value):
        self._scenario[f"{self._name}.{name}"] = value

    def __dir__(self):
        return [*object.__dir__(self), *names_below(self._scenario.keys(), f"{self._name}.")]

    def __repr__(self):
        entries = ((key, self._scenario.info(key)) for key in self._scenario.keys() if key.startswith(f"{self._name}."))
        return "\n".join(f"{key} = {entry['value']}  # {key_doc(entry).rpartition('; now ')[0]}" for key, entry in entries)


def find_attribute(scenario, prefix, name):
    """The value of the key prefix + name, or its table; AttributeError if there is neither."""
    key = prefix + name
    if not name.startswith("_"):
        keys = scenario.keys()
        if key in keys or key.removesuffix("_deg") in keys:
            return scenario[key]
        if any(other.startswith(key + ".") for other in keys):
            return table_of(scenario, key)
    try:
        scenario._core.find_key(key)
        hint = ""
    except ScenarioError as error:
        hint = f": {error}"
    raise AttributeError(f"the scenario has no key or table {key}{hint}", name=name, obj=scenario)


def table_of(scenario, name):
    """A table, of a class of its own, so that help() tells of its keys."""
    prefix = name + "."
    parts = {}
    for word in names_below(scenario.keys(), prefix):
        key = prefix + word
        if word.isidentifier() and not keyword.iskeyword(word) and key in scenario.keys():
            parts[word] = _property(scenario, key, scenario.info(key))
    words = ", ".join(names_below(scenario.keys(), prefix))
    parts["__doc__"] = f"[{name}] of {scenario.name}: {words}"
    parts["__module__"] = "sinew"
    return type(name.rpartition(".")[2], (Table,), parts)(scenario, name)
