// What messages of a live run do to the page.
import { showNothing, showTake, type App } from "./app";
import { connect, type Hello, type LiveEvents } from "./data/live";
import { liveAddress } from "./data/source";
import { readable } from "./math/nice";
import { tell } from "./ui/dom";

function badge(a: App): void {
  const { run, connected, take } = a.state;
  if (!connected) return a.page.setBadge("Not connected", "off");
  if (!run || !take?.live) return a.page.setBadge("Connected", "none");
  if (!run.running) return a.page.setBadge("Live \u00b7 paused", "paused");
  const note = run.note ? ` \u00b7 ${run.note}` : "";
  a.page.setBadge(`Live \u00b7 ${readable(run.real_time_factor)}\u00d7 real time${note}`, "live");
}

function hello(a: App, h: Hello): void {
  a.state.hello = h;
  a.state.run = h;
  a.state.failed = "";
  a.page.setBanner("", false);
  a.picker.close();
  showTake(a, h.take);
  a.study.playing(h.scenario);
  a.parameters.set(h.parameters, h.interactive);
  a.page.setPush(h.interactive, a.pushing.enabled);
  badge(a);
}

function connected(a: App, yes: boolean): void {
  const { state, page } = a;
  const was = state.connected;
  state.connected = yes;
  badge(a);
  if (yes) {
    if (!state.failed) page.setBanner("", false);
    if (state.wanted) state.live?.send({ type: "load", scenario: state.wanted });
    return;
  }
  a.parameters.element.inert = true;
  if (was || state.take?.live) page.setBanner("The program has gone: start sinew view again. This page comes back by itself; what it has seen can still be looked at.", true);
  else if (!state.take) showNothing(a, ["No program answers", "Start it with: sinew view sidewinding. Or drop a recording on this page."]);
}

export function startLive(a: App): void {
  if (a.state.live) return;
  const events: LiveEvents = {
    hello: (h) => {
      a.state.wanted = "";
      a.parameters.element.inert = false;
      hello(a, h);
    },
    state: (run) => {
      a.state.run = run;
      badge(a);
    },
    rows: () => undefined, // the loop looks at the take by itself
    parameter: (key, value) => a.parameters.changed(key, value),
    failed: (what) => {
      a.state.failed = what;
      a.page.setBanner(what, true);
    },
    refused: (what) => {
      a.state.wanted = "";
      tell(what, true);
    },
    connected: (yes) => connected(a, yes),
  };
  a.state.live = connect(liveAddress(), events);
}

export function stopLive(a: App): void {
  a.state.live?.close();
  Object.assign(a.state, { live: null, hello: null, run: null, connected: false, failed: "" });
  a.parameters.element.hidden = true;
  a.page.setPush(false, false);
}
