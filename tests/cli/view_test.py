"""sinew view, run --live and export --html as a user meets them. The page itself is tested in viewer/."""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from program import PENDULUM, SINEW, Case, sinew
from websocket import PAGE, Page, Serving, get


class View(Case):
    def serve(self, *arguments):
        return Serving(self, *arguments)

    def page(self, url, status=101):
        page = Page(url)
        self.addCleanup(page.close)
        self.assertEqual(page.status, status)
        return page

    def look(self, serving):
        return self.page(serving.url)

    def record(self, name="run.h5"):
        self.succeeds("run", "pendulum", "--until", 1, "--quiet", "--out", self.folder / name)
        return self.folder / name

    def source(self, serving):
        return json.loads(get(serving.url + "api/source")[1])

    def environment(self):
        (self.folder / "viewer").mkdir(exist_ok=True)
        (self.folder / "viewer/index.html").write_text(PAGE)
        return {**os.environ, "SINEW_VIEWER": str(self.folder / "viewer")}

    def port_of(self, serving):
        return int(re.search(r":(\d+)/", serving.url).group(1))


class Recorded(View):
    def test_page_and_recording_are_served_byte_by_byte(self):
        recording = self.record()
        serving = self.serve("view", recording, "--port", 0)
        self.assertEqual(get(serving.url), (200, PAGE.encode()))
        self.assertEqual(self.source(serving), {"kind": "recording", "name": "run.h5", "url": "/recording.h5"})
        self.assertEqual(get(serving.url + "recording.h5"), (200, recording.read_bytes()))

    def test_a_recording_is_known_by_its_bytes_whatever_its_name(self):
        serving = self.serve("view", self.record("swing.data"), "--port", 0)
        self.assertEqual(self.source(serving)["name"], "swing.data")

    def test_interrupted_it_ends_with_130_and_says_nothing_more(self):
        recording = self.record()
        for by in (signal.SIGINT, signal.SIGTERM):
            serving = self.serve("view", recording, "--port", 0)
            self.assertIn("Ctrl-C", serving.hint)
            self.assertEqual(serving.end(by), (130, "", ""))

    def test_what_cannot_be_read_is_the_error_of_other_commands(self):
        for name, content in (("missing.h5", None), ("junk.h5", b"junk"), ("cut.h5", self.record().read_bytes()[:3000])):
            if content is not None:
                self.file(content, name)
            plot = sinew("plot", self.folder / name, "-o", self.folder / "plot.svg")
            self.assertEqual(self.fails(plot.returncode, "view", self.folder / name, env=self.environment()), plot.stderr)

    def test_a_recording_can_be_left_for_a_scenario(self):
        page = self.look(self.serve("view", self.record(), "--port", 0))
        page.send(type="load", scenario="basics/double-pendulum")
        self.assertEqual(page.next("hello")["scenario"], "basics/double-pendulum")


class Studied(View):
    def sweep(self, *options):
        """A study whose first row cannot be, which is told; a part that has no other row ends with 3."""
        done = sinew("sweep", "pendulum", "--vary", "body.bob.mass=-1,2,3", "--until", 0.1, "--quiet", "--out",
                     self.folder / "study.h5", *options)
        self.assertEqual(done.returncode, 3 if options == ("--shard", "1/2") else 0, done.stderr)
        self.assertEqual("row 0 was refused" in done.stderr, options != ("--shard", "2/2"), done.stderr)
        return self.folder / "study.h5"

    def study(self, serving):
        return json.loads(get(serving.url + "api/study")[1])

    def test_its_table_is_served_with_states_and_reasons(self):
        serving = self.serve("view", self.sweep(), "--port", 0)
        self.assertEqual(self.source(serving), {"kind": "study", "url": "/api/study"})
        study = self.study(serving)
        self.assertEqual((study["name"], study["scenario"], study["total"]), ("study.h5", "basics/pendulum", 3))
        names = [c["name"] for c in study["columns"]]
        at = {c["role"]: i for i, c in enumerate(study["columns"])}
        self.assertEqual([row[names.index("body.bob.mass")] for row in study["rows"]], [-1, 2, 3])
        self.assertEqual([row[at["status"]] for row in study["rows"]], ["refused", "done", "done"])
        self.assertIn("mass", study["rows"][0][at["reason"]])

    def test_a_row_is_run_with_what_differs(self):
        page = self.look(self.serve("view", self.sweep(), "--port", 0))
        for number, mass in ((2, 3), (1, 2)):
            page.send(type="load", scenario=f"#{number}")
            hello = page.next("hello")
            self.assertEqual(hello["scenario"], f"basics/pendulum #{number}")
            self.assertEqual({b["name"]: b["mass"] for b in hello["scene"]["bodies"]}["bob"], mass)

    def test_a_row_that_cannot_be_is_refused_with_its_reason_and_the_run_before_goes_on(self):
        page = self.look(self.serve("view", self.sweep(), "--port", 0))
        for name, why in (("#0", "mass"), ("#7", "no such row"), ("#", "no such row"), ("#1x", "no such row")):
            page.send(type="load", scenario=name)
            self.assertIn(why, page.next("error")["what"])
        page.send(type="load", scenario="#1")
        self.assertEqual(page.next("hello")["scenario"], "basics/pendulum #1")
        page.send(type="load", scenario="#0")
        self.assertIn("mass", page.next("error")["what"])

    def test_shards_are_seen_together_before_they_are_collected(self):
        self.sweep("--shard", "1/2")
        self.sweep("--shard", "2/2")
        study = self.study(self.serve("view", self.folder / "study.h5", "--port", 0))
        self.assertEqual([row[0] for row in study["rows"]], [0, 1, 2])

    def test_rows_that_come_while_it_is_looked_at_are_seen(self):
        self.sweep("--shard", "1/2")
        serving = self.serve("view", self.folder / "study.h5", "--port", 0)
        before = len(self.study(serving)["rows"])
        self.sweep("--shard", "2/2")
        self.assertEqual((before, len(self.study(serving)["rows"])), (1, 3))

    def test_set_does_not_belong_to_a_study(self):
        error = self.fails(2, "view", self.sweep(), "--set", "body.bob.mass=2", env=self.environment())
        self.assertIn("--set", error)


class Ports(View):
    def test_a_port_that_is_taken_is_an_error_if_it_was_named(self):
        first = self.serve("view", "--port", 0)
        port = self.port_of(first)
        error = self.fails(4, "view", "--port", port, env=self.environment())
        self.assertIn(f"error: port {port}: taken", error)
        self.assertIn(f"error: port {port}: taken",
                      self.fails(4, "run", "pendulum", "--no-record", "--live", "--port", port, env=self.environment()))

    def test_a_port_that_is_taken_is_passed_over_if_it_was_not(self):
        first, second = self.serve("view"), self.serve("view")
        self.assertLess(self.port_of(first), self.port_of(second))
        self.assertEqual(get(second.url)[0], 200)

    def test_what_is_no_port_or_address_is_bad_input(self):
        self.assertIn("--port 65536", self.fails(2, "view", "--port", 65536, env=self.environment()))
        self.assertIn("--listen here", self.fails(2, "view", "--listen", "here", env=self.environment()))
        self.assertIn("--live", self.fails(2, "run", "pendulum", "--port", 9000, env=self.environment()))

    def test_other_addresses_ask_for_the_token_that_is_printed(self):
        serving = self.serve("view", "--listen", "0.0.0.0", "--port", 0)
        token = re.search(r"\?token=([0-9a-f]{32,})$", serving.url).group(1)
        here = f"http://127.0.0.1:{self.port_of(serving)}/"
        self.assertEqual(get(here)[0], 403)
        self.assertEqual(get(here + "?token=" + token[:-1] + ("0" if token[-1] != "0" else "1"))[0], 403)
        self.assertEqual(get(here + "?token=" + token)[0], 200)
        self.page(here, 403)
        self.page(here + "?token=" + token)

    def test_other_hosts_and_origins_are_refused(self):
        serving = self.serve("view", "--port", 0)
        self.assertEqual(get(serving.url, Host="evil.example")[0], 403)
        self.assertEqual(get(serving.url, Origin="http://evil.example")[0], 403)


class Computed(View):
    def test_a_scenario_runs_and_can_be_changed(self):
        serving = self.serve("view", "pendulum", "--set", "body.bob.mass=2", "--port", 0)
        self.assertEqual(self.source(serving), {"kind": "live"})
        page = self.look(serving)
        hello = page.next("hello")
        self.assertEqual((hello["protocol"], hello["scenario"], hello["interactive"]), (1, "basics/pendulum", True))
        generation, rows = page.next("rows")
        self.assertEqual(generation, hello["generation"])
        self.assertEqual(len(rows[0]), len(hello["signals"]))
        page.send(type="dance")
        self.assertIn("dance", page.next("error")["what"])

    def test_pages_load_built_in_scenarios_and_no_other_file(self):
        mine = self.file(PENDULUM, "mine.toml")
        page = self.look(self.serve("view", "--port", 0))
        for name in (mine, "mine.toml", "../basics/pendulum", "/etc/passwd", "basics/../basics/pendulum", "basics", ""):
            page.send(type="load", scenario=str(name))
            self.assertIn("no built-in scenario", page.next("error")["what"])
        page.send(type="load", scenario="basics/pendulum")
        self.assertEqual(page.next("hello")["scenario"], "basics/pendulum")
        page.send(type="load", scenario=str(mine))
        self.assertIn("no built-in scenario", page.next("error")["what"])

    def test_a_file_of_the_user_can_be_viewed(self):
        mine = self.file(PENDULUM, "mine.toml")
        page = self.look(self.serve("view", mine, "--port", 0))
        self.assertEqual(page.next("hello")["scene"]["title"], "test")

    def test_without_an_argument_the_page_chooses(self):
        serving = self.serve("view", "--port", 0)
        self.assertEqual(self.source(serving), {"kind": "none"})
        listed = json.loads(get(serving.url + "api/scenarios")[1])
        for scenario in listed:
            self.assertEqual(scenario.pop("picture"), None)
        wanted = [scenario for scenario in json.loads(self.succeeds("list", "--json")) if "bench" not in scenario]
        self.assertEqual(listed, [{key: scenario[key] for key in ("name", "title", "source")} for scenario in wanted])

    def test_pictures_beside_the_page_are_served(self):
        picture = self.folder / "viewer/pictures/basics/pendulum.webp"
        picture.parent.mkdir(parents=True)
        picture.write_bytes(b"picture")
        (picture.parent / "secret.webp").write_bytes(b"secret")
        serving = self.serve("view", "--port", 0)
        listed = {scenario["name"]: scenario["picture"] for scenario in json.loads(get(serving.url + "api/scenarios")[1])}
        self.assertEqual(listed["basics/pendulum"], "/pictures/basics/pendulum.webp")
        self.assertIsNone(listed["basics/double-pendulum"])
        self.assertEqual(get(serving.url + "pictures/basics/pendulum.webp"), (200, b"picture"))
        self.assertEqual(get(serving.url + "pictures/basics/secret.webp")[0], 404)

    def test_bad_input_is_found_before_anything_is_served(self):
        self.assertIn("nonsense", self.fails(2, "view", "nonsense", env=self.environment()))
        self.assertIn("--set mas=2", self.fails(2, "view", "pendulum", "--set", "mas=2", env=self.environment()))
        self.assertIn("it is a test bench", self.fails(2, "view", "quadruped/states", env=self.environment()))
        live = ("run", "quadruped/states", "--no-record", "--live")
        self.assertIn("--live: quadruped/states: it is a test bench", self.fails(2, *live, env=self.environment()))
        self.succeeds("run", "quadruped/states", "--quiet", "--out", self.folder / "bench.h5")
        self.assertIn("no motion to be seen", self.fails(2, "view", self.folder / "bench.h5", env=self.environment()))
        self.assertIn("--set", self.fails(2, "view", self.record(), "--set", "mass=2", env=self.environment()))

    def test_a_page_that_is_not_built_is_an_error_that_says_how(self):
        recording = self.record()
        for command in (("view",), ("view", recording), ("run", "pendulum", "--no-record", "--live"),
                        ("export", recording, "--html", self.folder / "run.html")):
            error = self.fails(4, *command, env={**os.environ, "SINEW_VIEWER": str(self.folder / "none")})
            self.assertIn("scripts/build_viewer", error)
        self.assertFalse((self.folder / "run.html").exists())


class Live(View):
    def test_a_run_that_is_watched_has_the_same_bits_and_clean_output(self):
        watched = sinew("run", "pendulum", "--json", "--no-record", "--live", "--port", 0, env=self.environment())
        self.assertEqual(watched.returncode, 0, watched.stderr)
        self.assertRegex(watched.stderr, r"^look at it: http://127\.0\.0\.1:\d+/\n$")
        self.assertEqual(json.loads(watched.stdout)["hash"], self.run_json("pendulum", "--no-record")["hash"])

    def test_pages_see_the_run_to_its_last_row(self):
        serving = self.serve("run", "pendulum", "--until", 1e9, "--json", "--no-record", "--live", "--port", 0)
        page = self.look(serving)
        self.assertFalse(page.next("hello")["interactive"])
        page.next("rows")
        page.send(type="set", key="body.bob.mass", value=2)
        page.next("error")
        code, out, _ = serving.end()
        self.assertEqual(code, 130)
        last = [message[1][-1][0] for message in page.messages() if isinstance(message, tuple)][-1]
        self.assertEqual(last, json.loads(out)["time"]["end"])

    def test_a_paused_run_can_be_interrupted(self):
        serving = self.serve("run", "pendulum", "--until", 1e9, "--no-record", "--live", "--port", 0)
        page = self.look(serving)
        page.send(type="pause")
        while page.next("state")["running"]:
            pass
        self.assertEqual(serving.end()[0], 130)


class Program(View):
    """The server is a program of its own, sinew-view, that sinew becomes."""

    def setUp(self):
        super().setUp()
        self.binary = Path(shutil.which(SINEW)).resolve()
        shutil.copy(self.binary, self.folder / "sinew")

    def alone(self, *arguments, **environment):
        return subprocess.run([self.folder / "sinew", *arguments], capture_output=True, text=True, timeout=60, cwd=self.folder,
                              env={**self.environment(), "PATH": "/nowhere", **environment})

    def test_without_it_the_error_says_how_to_get_it(self):
        for words in (["view"], ["view", "pendulum", "--no-open"], ["run", "pendulum", "--live"]):
            result = self.alone(*words)
            self.assertEqual((result.returncode, result.stdout), (4, ""), words)
            self.assertTrue(result.stderr.startswith("error: sinew view: the program sinew-view is not built or installed: "), result.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name not in ("sinew", "viewer")], [])

    def test_what_it_is_not_needed_for_works_without_it(self):
        self.assertEqual(self.alone("view", "--help").stdout, sinew("view", "--help").stdout)
        self.assertEqual(self.alone("view", "--prot", "1").returncode, 2)
        self.assertEqual(self.alone("run", "pendulum", "--until", "0.1", "--quiet", "--out", "run.h5").returncode, 0)
        self.assertEqual(self.alone("export", "run.h5", "--html", "run.html").returncode, 0)

    def test_it_is_also_found_on_the_path(self):
        result = self.alone("run", "pendulum", "--until", "0.1", "--live", "--port", "0", "--no-record", PATH=str(self.binary.parent))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("look at it: http://", result.stderr)

    def test_one_that_cannot_be_started_is_an_error(self):
        (self.folder / "sinew-view").write_text("")
        result = self.alone("view")
        self.assertEqual(result.returncode, 4)
        self.assertIn("error: sinew view: the program sinew-view cannot be started: Permission denied", result.stderr)


class Html(View):
    def export(self, *arguments):
        return self.succeeds("export", *arguments, env=self.environment())

    def test_the_page_holds_the_recording(self):
        recording, html = self.record("a&b.h5"), self.folder / "run.html"
        self.assertEqual(self.export(recording, "--html", html), "")
        before, element, after = re.fullmatch(r"(.*)<script ([^>]*>[A-Za-z0-9+/=]*)</script>\n(.*)", html.read_text(), re.S).groups()
        self.assertEqual(before + after, PAGE)
        self.assertTrue(after.startswith("</body>"))
        head, _, letters = element.partition(">")
        self.assertEqual(head, 'id="recording" type="application/octet-stream;base64" data-name="a&amp;b.h5"')
        self.assertEqual(base64.b64decode(letters, validate=True), recording.read_bytes())

    def test_page_and_table_in_one_go(self):
        recording, html = self.record(), self.folder / "run.html"
        table = self.export(recording, "--html", html, "--csv", "-", "--signals", "body.bob.p", "--every", 0.5)
        self.assertTrue(table.startswith("t,body.bob.p.x,"))
        self.assertTrue(html.exists())

    def test_options_of_the_table_need_a_table(self):
        recording = self.record()
        for option in (("--signals", "t"), ("--every", 1)):
            error = self.fails(2, "export", recording, "--html", self.folder / "run.html", *option, env=self.environment())
            self.assertIn("--csv", error)
        self.assertFalse((self.folder / "run.html").exists())

    def test_what_is_no_recording_makes_no_page(self):
        self.fails(2, "export", self.file(b"junk", "junk.h5"), "--html", self.folder / "run.html", env=self.environment())
        self.fails(4, "export", self.record(), "--html", self.folder / "none/run.html", env=self.environment())
        self.assertEqual(list(self.folder.glob("*.html")), [])


if __name__ == "__main__":
    unittest.main()
