"""Where the scenarios and the page of the web view are: those of the tree that built the module, or installed beside it."""

import os
from pathlib import Path

_HERE = Path(__file__).parent


def _places(part, in_tree):
    yield _HERE / "data" / part  # of a wheel
    try:
        from sinew._tree import SOURCE  # pylint: disable=import-outside-toplevel
        yield Path(SOURCE) / in_tree
    except ImportError:
        pass
    yield _HERE.parents[3] / "share/sinew" / part  # PREFIX/lib/python3/dist-packages/sinew
    yield Path("/usr/share/sinew") / part


def scenario_folder():
    """Folder of the built-in scenarios: SINEW_SCENARIOS, or the module's own."""
    wanted = os.environ.get("SINEW_SCENARIOS")
    if wanted:
        return wanted
    places = list(_places("scenarios", "scenarios"))
    return str(next((place for place in places if place.is_dir()), places[-1]))


def viewer_page():
    """The page of the web view as text, or None where it has not been built."""
    wanted = os.environ.get("SINEW_VIEWER")
    places = [Path(wanted) / "index.html"] if wanted else _places("viewer/index.html", "viewer/dist/index.html")
    found = next((place for place in places if place.is_file()), None)
    return found.read_text(encoding="utf-8") if found else None
