"""Recordings as MCAP: the reader that the viewers use (@mcap/core, under node) gives back every number; what is cut off is lost alone."""

import json
import subprocess
import unittest
from pathlib import Path

import h5py

from program import Case, sinew

VIEWER = Path(__file__).resolve().parents[2] / "viewer"
READER = """
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { readFileSync } from "node:fs";
const [path, how] = process.argv.slice(2);
const bytes = readFileSync(path), text = new TextDecoder(), out = { channels: {}, messages: [], metadata: {} };
const take = (channel, m) => out.messages.push({ topic: channel.topic, time: Number(m.logTime), sequence: m.sequence, text: text.decode(m.data) });
if (how == "indexed") {
  const readable = { size: async () => BigInt(bytes.length), read: async (at, n) => bytes.subarray(Number(at), Number(at + n)) };
  const reader = await McapIndexedReader.Initialize({ readable });
  for (const c of reader.channelsById.values()) out.channels[c.topic] = { schema: reader.schemasById.get(c.schemaId).name, encoding: c.messageEncoding };
  for (const s of reader.schemasById.values()) JSON.parse(text.decode(s.data));
  for await (const m of reader.readMessages()) take(reader.channelsById.get(m.channelId), m);
  for await (const m of reader.readMetadata()) out.metadata[m.name] = Object.fromEntries(m.metadata);
  out.count = Number(reader.statistics.messageCount);
  out.chunks = reader.chunkIndexes.length;
} else {
  const reader = new McapStreamReader({ validateCrcs: true }), channels = new Map();
  reader.append(bytes);
  for (let r; (r = reader.nextRecord()); ) {
    if (r.type == "Channel") channels.set(r.id, r);
    if (r.type == "Message") take(channels.get(r.channelId), r);
  }
  out.done = reader.done();
}
process.stdout.write(JSON.stringify(out));
"""


class Mcap(Case):
    def exported(self, *words):
        done = sinew("run", *words, "--out", "run.h5", "--quiet", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = sinew("export", "run.h5", "--mcap", "run.mcap", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return self.folder / "run.mcap"

    def read(self, path, how):
        done = subprocess.run(["node", "--input-type=module", "-", path, how], input=READER, cwd=VIEWER, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_number_comes_back_to_the_last_bit(self):
        found = self.read(self.exported("biped/stand", "--until", "0.2"), "indexed")
        with h5py.File(self.folder / "run.h5") as file:
            signals = {name: data[:] for name, data in file["signals"].items()}
            self.assertEqual(found["metadata"]["sinew"]["scenario"], file.attrs["scenario"])
        rows = [json.loads(m["text"]) for m in found["messages"] if m["topic"] == "/signals"]
        self.assertEqual(len(rows), len(signals["t"]))
        for name, values in signals.items():
            self.assertEqual([row[name] for row in rows], [v if abs(v) < float("inf") else None for v in values.tolist()], name)
        self.assertEqual(found["count"], len(found["messages"]))
        schemas = {topic: c["schema"] for topic, c in found["channels"].items()}
        for topic, schema in (("/tf", "foxglove.FrameTransforms"), ("/scene", "foxglove.SceneUpdate"), ("/joint_states", "foxglove.JointStates"),
                              ("/wrench/foot_L", "geometry_msgs/WrenchStamped"), ("/contacts", "sinew.Contacts"),
                              ("/contact_forces", "foxglove.SceneUpdate")):
            self.assertEqual(schemas[topic], schema)
        self.look_at_last(found, signals)

    def look_at_last(self, found, signals):
        last = {m["topic"]: json.loads(m["text"]) for m in found["messages"]}
        frame = next(f for f in last["/tf"]["transforms"] if f["child_frame_id"] == "foot_L")
        for axis in "xyz":
            self.assertEqual(frame["translation"][axis], signals[f"body.foot_L.p.{axis}"][-1])
        self.assertEqual(frame["rotation"]["w"], signals["body.foot_L.quat.w"][-1])
        # A foot stands nearly level: its own axes are those of the world within the angle that its quaternion says.
        wrench = last["/wrench/foot_L"]["wrench"]["force"]
        force = [signals[f"body.foot_L.contact.force.{axis}"][-1] for axis in "xyz"]
        self.assertAlmostEqual(sum(v * v for v in wrench.values()), sum(v * v for v in force), delta=1e-9 * sum(v * v for v in force))
        feet = [c for c in last["/contacts"]["contacts"] if c["body"].startswith("foot")]
        self.assertEqual(len(feet), 2)
        up = sum(c["force"]["z"] for c in feet)
        self.assertAlmostEqual(up, signals["contacts.normal"][-1], delta=1e-9 * up)  # all contacts are on level ground
        arrows = last["/contact_forces"]["entities"][0]["arrows"]
        self.assertEqual(len(arrows), len(last["/contacts"]["contacts"]))
        entities = {e["id"]: e for e in last["/scene"]["entities"]}
        self.assertEqual(entities["body foot_L"]["cubes"][0]["size"]["z"], 0.03)  # the sole
        knee = next(j for j in last["/joint_states"]["joints"] if j["name"] == "knee_L")
        self.assertEqual(knee["position"], signals["joint.knee_L.q"][-1])

    def test_a_file_that_is_cut_off_gives_all_chunks_before(self):
        path = self.exported("snake/sidewinding", "--until", "1")
        whole = self.read(path, "stream")
        self.assertTrue(whole["done"])
        bytes_ = path.read_bytes()
        chunks = self.read(path, "indexed")["chunks"]
        self.assertGreater(chunks, 3)
        cut = self.folder / "cut.mcap"
        cut.write_bytes(bytes_[:len(bytes_) * 2 // 3])
        part = self.read(cut, "stream")
        self.assertFalse(part["done"])
        self.assertEqual(part["messages"], whole["messages"][:len(part["messages"])])
        self.assertGreater(len(part["messages"]), len(whole["messages"]) // 2)
        times = [m["time"] for m in whole["messages"]]
        self.assertEqual(times, sorted(times))

    def test_other_files_are_not_written_over(self):
        self.exported("pendulum", "--until", "0.1")
        (self.folder / "notes.txt").write_text("mine")
        done = sinew("export", "run.h5", "--mcap", "notes.txt", cwd=self.folder)
        self.assertEqual(done.returncode, 4)
        self.assertEqual((self.folder / "notes.txt").read_text(), "mine")
        done = sinew("export", "run.h5", "--mcap", "x.mcap", "--signals", "t", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
