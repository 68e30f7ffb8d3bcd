"""sinew plot: a recording as a labelled picture."""

import os
import struct
import unittest
import xml.etree.ElementTree as xml

from program import Case, sinew


class Plot(Case):
    def setUp(self):
        super().setUp()
        self.recording = self.folder / "run.h5"
        self.succeeds("run", "pendulum", "--until", 2, "--quiet", "--out", self.recording)

    def texts(self, *arguments):
        """All texts of the SVG that sinew plot makes."""
        picture = self.folder / "plot.svg"
        self.succeeds("plot", self.recording, "-o", picture, *arguments)
        return ["".join(node.itertext()).strip() for node in xml.parse(picture).iter("{http://www.w3.org/2000/svg}text")]

    def test_an_svg_is_xml_with_names_and_units(self):
        texts = self.texts("--signals", "body.bob.p,energy.kinetic")
        for text in ("time [s]", "body.bob.p [m]", "body.bob.p.x", "body.bob.p.y", "body.bob.p.z", "energy.kinetic [J]"):
            self.assertIn(text, texts)

    def test_without_signals_the_results_of_the_scenario_are_plotted(self):
        texts = self.texts()
        self.assertIn("body.bob.p.x", texts)
        self.assertIn("pendulum released from the horizontal", " ".join(texts))
        self.assertIn("basics/pendulum", texts)

    def test_options_of_two_pictures_are_refused(self):
        picture = self.folder / "plot.svg"
        pictures = {"--signals": "t", "--profile": "rod.X", "--boxes": "a", "--bode": "a,b", "--drive": "motor"}
        names = list(pictures)
        for i, first in enumerate(names):
            for second in names[i + 1:]:
                error = self.fails(2, "plot", self.recording, "-o", picture, first, pictures[first], second, pictures[second])
                self.assertIn(f"{second}: it is another picture than that of {first}: leave one of them out", error)
        for option in ("--boxes", "--bode", "--drive"):
            error = self.fails(2, "plot", self.recording, "-o", picture, option, pictures[option], "--x", "energy.kinetic")
            self.assertIn(f"--x: the picture of {option} has axes of its own", error)
        self.assertIn("--at: it belongs to --profile", self.fails(2, "plot", self.recording, "-o", picture, "--at", "1"))
        self.assertFalse(picture.exists())

    def test_a_title_of_ones_own(self):
        self.assertIn("50 % {of} x_1 & <more>", self.texts("--title", "50 % {of} x_1 & <more>"))

    def test_wildcards_choose_signals(self):
        texts = self.texts("--signals", "body.bob.*")
        self.assertIn("body.bob.w.z", texts)
        self.assertIn("body.bob.quat.w", texts)
        self.assertNotIn("energy.kinetic", texts)

    def test_a_path_is_plotted_over_another_signal(self):
        texts = self.texts("--signals", "body.bob.p.y", "--x", "body.bob.p.x")
        self.assertIn("body.bob.p.x [m]", texts)
        self.assertNotIn("time [s]", texts)

    def test_phases_of_legs_are_bars(self):
        walk = self.folder / "walk.h5"
        self.succeeds("run", "quadruped/walk", "--until", 0.5, "--quiet", "--out", walk)
        picture = self.folder / "phases.svg"
        self.succeeds("plot", walk, "--phases", "-o", picture)
        svg = picture.read_text()
        for text in ("stance", "transfer", "leg", "time [s]"):
            self.assertIn(text, svg)
        self.assertGreaterEqual(svg.count("<polygon"), 4)
        for other in (("--signals", "com.p"), ("--profile", "rod.N_x"), ("--x", "com.p.x"), ("--bode", "a,b"), ("--drive", "a"), ("--boxes", "a"), ("--at", "0")):
            self.assertIn(other[0], self.fails(2, "plot", walk, "--phases", *other, "-o", picture))
        self.assertIn("contact", self.fails(2, "plot", self.recording, "--phases", "-o", picture))

    def test_a_png_has_signature_and_size(self):
        picture = self.folder / "plot.png"
        self.succeeds("plot", self.recording, "-o", picture)
        data = picture.read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        self.assertGreater(width, 1200)
        self.assertGreater(height, 500)

    def test_the_same_recording_gives_the_same_bytes(self):
        for ending in ("svg", "png"):
            for name in ("a", "b"):
                self.succeeds("plot", self.recording, "-o", self.folder / f"{name}.{ending}")
            self.assertEqual((self.folder / f"a.{ending}").read_bytes(), (self.folder / f"b.{ending}").read_bytes())

    def test_unknown_signals_and_endings_are_bad_input(self):
        error = self.fails(2, "plot", self.recording, "--signals", "body.bop.p.x", "-o", self.folder / "a.svg")
        self.assertIn("did you mean body.bob.p.x", error)
        self.assertIn(".svg or .png", self.fails(2, "plot", self.recording, "-o", self.folder / "a.pdf"))
        self.fails(2, "plot", self.recording)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.h5"])

    def test_files_that_cannot_be_read_or_written(self):
        self.fails(4, "plot", self.folder / "missing.h5", "-o", self.folder / "a.svg")
        self.fails(4, "plot", self.recording, "-o", self.folder / "missing" / "a.svg")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["run.h5"])

    def test_without_gnuplot_the_package_is_named(self):
        done = sinew("plot", self.recording, "-o", self.folder / "a.svg", env={**os.environ, "PATH": str(self.folder)})
        self.assertEqual(done.returncode, 4)
        self.assertIn("apt-get install gnuplot-nox", done.stderr)


if __name__ == "__main__":
    unittest.main()
