"""Parameters from files that others wrote: arrays in HDF5, tensors of PyTorch, the page of a fit."""

import io
import json
import pickle
import struct
import sys
import types
import unittest
import zipfile
from collections import OrderedDict

import h5py
import numpy as np

from program import PENDULUM, Case, sinew


def swing(g, seconds=1.0, rate=50):
    """x and y of the pendulum of PENDULUM over time, by a Runge-Kutta method of our own."""
    def slope(state):
        return np.array([state[1], g * np.cos(state[0])])  # angle below the horizontal, its rate
    state, rows, h = np.zeros(2), [], 1e-3
    for k in range(int(seconds * 1000) + 1):
        if k % (1000 // rate) == 0:
            rows.append([k * h, np.cos(state[0]), -np.sin(state[0])])
        a = slope(state)
        b = slope(state + 0.5 * h * a)
        c = slope(state + 0.5 * h * b)
        state = state + h / 6 * (a + 2 * b + 2 * c + slope(state + h * c))
    return np.array(rows)


class Storage:
    """Numbers beside a pickle, as PyTorch has them."""

    def __init__(self, numbers):
        self.numbers = numbers


class Rebuilt:
    """A tensor: what torch._utils._rebuild_tensor_v2 makes of a storage."""

    def __init__(self, numbers, columns_first):
        n, k = numbers.shape
        self.storage = Storage(numbers.T.ravel() if columns_first else numbers.ravel())
        self.size, self.stride = (n, k), (1, n) if columns_first else (k, 1)

    def __reduce__(self):
        return sys.modules["torch._utils"]._rebuild_tensor_v2, (self.storage, 0, self.size, self.stride, False, OrderedDict())


class TorchPickler(pickle.Pickler):
    def __init__(self, file, kind, extra=()):
        super().__init__(file, protocol=2)
        self.kind, self.extra = kind, extra

    def persistent_id(self, obj):
        if isinstance(obj, Storage):
            return ("storage", getattr(sys.modules["torch"], self.kind), "0", "cpu", len(obj.numbers), *self.extra)
        return None


def with_torch(write):
    """Runs with modules that have the names of PyTorch's."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for kind in ("DoubleStorage", "FloatStorage"):
        setattr(torch, kind, type(kind, (), {"__module__": "torch"}))

    def _rebuild_tensor_v2(*_):
        raise AssertionError
    _rebuild_tensor_v2.__module__, _rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2
    sys.modules.update({"torch": torch, "torch._utils": utils})
    try:
        return write()
    finally:
        del sys.modules["torch"], sys.modules["torch._utils"]


def saved_as_archive(numbers, kind="DoubleStorage", columns_first=False):
    """torch.save since version 1.6."""
    text = io.BytesIO()
    tensor = Rebuilt(numbers, columns_first)
    with_torch(lambda: TorchPickler(text, kind).dump(tensor))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("toss/data.pkl", text.getvalue())
        archive.writestr("toss/data/0", tensor.storage.numbers.astype("<f8" if kind == "DoubleStorage" else "<f4").tobytes())
        archive.writestr("toss/version", "3\n")
    return out.getvalue()


def saved_in_sequence(numbers, kind="FloatStorage"):
    """torch.save before version 1.6."""
    out, tensor = io.BytesIO(), Rebuilt(numbers, False)
    for head in (0x1950A86A20F9469CFC6C, 1001, {"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}):
        pickle.dump(head, out, protocol=2)
    with_torch(lambda: TorchPickler(out, kind, extra=(None,)).dump(tensor))
    pickle.dump(["0"], out, protocol=2)
    out.write(struct.pack("<q", tensor.storage.numbers.size))
    out.write(tensor.storage.numbers.astype("<f8" if kind == "DoubleStorage" else "<f4").tobytes())
    return out.getvalue()


class Identify(Case):
    G = -8.5

    def setUp(self):
        super().setUp()
        self.file(PENDULUM)
        self.rows = swing(-self.G)

    def found(self, data, *words):
        done = sinew("identify", "scenario.toml", data, "--fit", "gravity.g[1]=-12:-5", *words, "--json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["parameters"]["gravity.g[1]"]["value"]

    def refused(self, data, *words):
        done = sinew("identify", "scenario.toml", data, "--fit", "gravity.g[1]=-12:-5", *words, cwd=self.folder)
        self.assertIn(done.returncode, (2, 4), done.stdout)
        return done.stderr

    def test_arrays_in_hdf5_of_others(self):
        with h5py.File(self.folder / "lab.h5", "w") as file:
            file["time"] = self.rows[:, 0]
            file.create_dataset("camera/position", data=self.rows[:, 1:].astype("f4"), compression="gzip")
            file["notes"] = "first try"
            file["camera/serial"] = np.arange(3)
        maps = ("--map", "body.bob.p.x=camera.position.0", "--map", "body.bob.p.y=camera.position.1")
        self.assertAlmostEqual(self.found("lab.h5", "--time", "time", *maps), self.G, delta=1e-4)
        self.assertIn("there are camera.position, camera.serial, time", self.refused("lab.h5", *maps))
        self.assertIn("no such column", self.refused("lab.h5", "--time", "time", "--map", "body.bob.p.x=camera.serial"))
        with h5py.File(self.folder / "bare.hdf5", "w") as file:
            file["x"] = self.rows[:, 1]
        self.assertAlmostEqual(self.found("bare.hdf5", "--rate", 50, "--map", "body.bob.p.x=x"), self.G, delta=1e-4)
        (self.folder / "bad.h5").write_bytes(b"no HDF5")
        self.assertIn("not an HDF5 file", self.refused("bad.h5"))

    def test_tensors_as_torch_saves_them(self):
        maps = ("--rate", 50, "--map", "body.bob.p.x=1*2", "--map", "body.bob.p.y=2*2")
        half = 0.5 * self.rows[:, 1:]
        for name, content in (("new", saved_as_archive(half)), ("turned", saved_as_archive(half, "FloatStorage", True)),
                              ("old", saved_in_sequence(half)), ("old8", saved_in_sequence(half, "DoubleStorage"))):
            (self.folder / f"{name}.pt").write_bytes(content)
            self.assertAlmostEqual(self.found(f"{name}.pt", *maps), self.G, delta=1e-4, msg=name)

    def test_tensors_that_would_run_something_or_are_damaged_are_refused(self):
        class Evil:
            def __reduce__(self):
                return print, ("it ran",)
        text, whole = pickle.dumps(Evil(), protocol=2), saved_in_sequence(self.rows)
        head = whole[:whole.index(b"ctorch._utils") - 2]
        (self.folder / "evil.pt").write_bytes(head + text + pickle.dumps(["0"], protocol=2))
        said = self.refused("evil.pt", "--rate", 50)
        self.assertIn("to run what the file says", said)
        self.assertNotIn("it ran\n", said)
        # a list that holds itself many times, and a long text that is meant many times
        endless = b"\x80\x02]q\x00(" + b"h\x00" * 2000 + b"e."
        long = b"\x80\x02(X" + struct.pack("<I", 1_000_000) + b"a" * 1_000_000 + b"q\x00" + b"h\x00" * 90_000 + b"t."
        for bomb, words in ((endless, "it holds no tensor"), (long, "a text of 1000000 letters")):
            (self.folder / "bomb.pt").write_bytes(head + bomb + pickle.dumps(["0"], protocol=2))
            self.assertIn(words, self.refused("bomb.pt", "--rate", 50))
        step = max(1, len(whole) // 150)
        for at in range(0, len(whole) - 1, step * 5):
            (self.folder / "cut.pt").write_bytes(whole[:at])
            self.refused("cut.pt", "--rate", 50, "--map", "body.bob.p.x=2")
        archive = saved_as_archive(self.rows)
        (self.folder / "cut.pt").write_bytes(archive[:len(archive) // 2])
        self.refused("cut.pt", "--rate", 50)

    def test_a_whole_recording_fits_also_from_a_wrong_start(self):
        self.assertEqual(sinew("run", "pendulum", "--until", 1, "--quiet", "--out", "run.h5", cwd=self.folder).returncode, 0)
        self.assertEqual(sinew("export", "run.h5", "--csv", "run.csv", cwd=self.folder).returncode, 0)
        for data in ("run.h5", "run.csv"):
            done = sinew("identify", "pendulum", data, "--fit", "gravity.g[1]=-12:-8,delay=0:0.1", "--set", "gravity.g=[0, -9, 0]", "--json",
                         cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertAlmostEqual(found["parameters"]["gravity.g[1]"]["value"], -9.81, delta=1e-6)
            self.assertAlmostEqual(found["parameters"]["delay"]["value"], 0, delta=1e-6)
            self.assertIn("energy.balance_error", found["left_out"])

    def test_the_page_has_covariance_and_correlation(self):
        np.savetxt(self.folder / "data.csv", self.rows, delimiter=",", header="t,body.bob.p.x,body.bob.p.y", comments="")
        done = sinew("identify", "scenario.toml", "data.csv", "--fit", "gravity.g[1]=-12:-5,damping=0:1", "--report", "fit.html", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "fit.html").read_text()
        for part in ("Correlation of their errors", "Their covariance", "What cannot be told apart", "<svg"):
            self.assertIn(part, page)
        self.assertNotIn("http", page.replace("http://www.w3.org", ""))


if __name__ == "__main__":
    unittest.main()
