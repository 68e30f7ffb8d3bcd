"""sinew: a simulator of robots that slither, crawl, walk and cling.

    import sinew
    s = sinew.load("sidewinding", mu_long=0.1)
    w = sinew.World(s)
    w.step(100)
    print(w.time, w.q, w.signal("com.p"))
    print(sinew.run(s)["result"])

SI units and radians, unless a name says otherwise.
"""

from sinew._batch import Batch, rollout
from sinew._core import version as __version__
from sinew._errors import NotCertified, ScenarioError, SinewError
from sinew._recording import Recording, record
from sinew._scenario import Scenario, build, load, run, scenarios
from sinew._study import identify, optimize, sweep
from sinew._view import View
from sinew._world import Checkpoint, World

__all__ = ["Batch", "Checkpoint", "NotCertified", "Recording", "Scenario", "ScenarioError", "SinewError", "View", "World", "build",
           "identify", "load", "optimize", "record", "rollout", "run", "scenarios", "sweep"]
