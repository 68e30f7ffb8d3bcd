"""Pages in notebooks: recordings, worlds and scenarios show themselves."""

import base64
import html
import os
import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import sinew
from sinew import _recording


class Views(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "index.html").write_text("<html><body>a page & more</body></html>")
        os.environ["SINEW_VIEWER"] = str(self.folder)
        self.addCleanup(os.environ.pop, "SINEW_VIEWER")

    def recording_in(self, page):
        """The recording that a page holds."""
        data = re.search(r'<script id="recording"[^>]*>([^<]*)</script>\n</body>', page).group(1)
        file = self.folder / f"{len(list(self.folder.iterdir()))}.h5"  # one that is open already would be the old one
        file.write_bytes(base64.b64decode(data))
        return sinew.Recording(file)

    def test_a_recording_shows_itself(self):
        r = sinew.record("pendulum", self.folder / "run.h5", until=0.5)
        frame = r._repr_html_()
        page = html.unescape(re.fullmatch(r'<iframe srcdoc="([^"]*)" .*</iframe>', frame, re.S).group(1))
        self.assertIn("a page & more", page)
        self.assertEqual(len(self.recording_in(page)), len(r))
        r.view().save(self.folder / "page.html")
        self.assertEqual((self.folder / "page.html").read_text(), page)

    def test_a_world_shows_what_comes_and_stays_where_it_is(self):
        w = sinew.World("pendulum")
        w.step(100)
        before = w.hash()
        r = self.recording_in(w.view(seconds=0.2).html())
        self.assertEqual(w.hash(), before)
        self.assertAlmostEqual(r.t[0], 0.1)
        self.assertAlmostEqual(r.t[-1], 0.3)
        w.step(200)
        self.assertEqual(r["joint.pivot.q"][-1], w.q[0])
        self.assertEqual(len(self.recording_in(w.view().html())), 1)

    def test_a_scenario_shows_a_run(self):
        r = self.recording_in(sinew.load("pendulum").view(until=0.3).html())
        self.assertEqual(r.t[-1], 0.3)

    def test_without_a_page_it_says_what_to_do(self):
        (self.folder / "index.html").unlink()
        with self.assertRaisesRegex(sinew.SinewError, "scripts/build_viewer"):
            sinew.load("pendulum").view(until=0.1).html()
        r = sinew.record("pendulum", self.folder / "run.h5", until=0.1)
        self.assertRegex(r._repr_html_(), "<pre>.*scripts/build_viewer</pre>")  # a notebook gets a line, and no traceback

    def test_a_large_recording_shows_itself_only_where_it_is_asked_to(self):
        r = sinew.record("pendulum", self.folder / "run.h5", until=0.1)
        with mock.patch.object(_recording, "_SHOWN_BYTES", 10):
            self.assertRegex(r._repr_html_(), r"<pre>.*view\(\)")
        self.assertIn("<iframe", r.view()._repr_html_())


if __name__ == "__main__":
    unittest.main()
