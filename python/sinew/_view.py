"""Recordings on the page of the web view, in a notebook or as a file of their own."""

import base64
import html
import os
import tempfile

from sinew._data import viewer_page
from sinew._errors import SinewError
from sinew._scenario import run


def note(text):
    """A line in a notebook."""
    return f"<pre>{html.escape(text)}</pre>"


class View:
    """A page that plays a recording. A notebook shows it; ``save(path)`` writes it as one file that plays anywhere."""

    def __init__(self, recording, name, height=480):
        self._recording, self._name, self._height = recording, name, height

    def html(self):
        """The whole page."""
        page = viewer_page()
        place = page.rfind("</body>") if page else -1
        if place < 0:
            raise SinewError("view: the page of the view is not built: in a clone run scripts/build_viewer")
        data = base64.b64encode(self._recording).decode()
        return (f'{page[:place]}<script id="recording" type="application/octet-stream;base64" data-name="{html.escape(self._name)}">'
                f"{data}</script>\n{page[place:]}")

    def save(self, path):
        """Writes the page."""
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.html())
        except OSError as error:
            raise SinewError(f"{os.fspath(path)}: it cannot be written ({error.strerror}): choose another place") from error

    def _repr_html_(self):
        if not viewer_page():  # nobody has asked for the page: a line that says how to get it, and no traceback
            return note(f"{self!r}: to see it, build the page of the view: scripts/build_viewer")
        return (f'<iframe srcdoc="{html.escape(self.html())}" style="width: 100%; height: {int(self._height)}px; border: 0" '
                f'title="{html.escape(self._name)}"></iframe>')

    def __repr__(self):
        return f"<sinew.View of {self._name}>"


def _from_run(write, name, height):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "view.h5")
        write(path)
        with open(path, "rb") as file:
            return View(file.read(), name, height)


def view_of_recording(recording, height=480):
    with open(recording.path, "rb") as file:
        return View(file.read(), os.path.basename(recording.path), height)


def view_of_world(world, seconds, height):
    return _from_run(lambda path: world.record(path, float(seconds)), world.scenario.name, height)


def view_of_scenario(scenario, until, height):
    return _from_run(lambda path: run(scenario, until=until, record=path), scenario.name, height)
