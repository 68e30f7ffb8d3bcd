// Begins with whatever source there is.
import { makeApp, showNothing, type App } from "./app";
import { fetchBytes, findSource } from "./data/source";
import { makeHook } from "./hook";
import { showBytes } from "./files";
import { startLive } from "./session";
import { startStudy } from "./studies";
import "./style.css";

const drop = "Drop a recording on this page, or choose one with Open: it stays on this computer.";

async function start(a: App): Promise<void> {
  showNothing(a, ["Loading\u2026"]);
  const source = await findSource();
  a.state.source = source.kind;
  a.page.showScenarios(source.kind !== "alone" && source.kind !== "bytes");
  switch (source.kind) {
    case "bytes":
      return showBytes(a, source.bytes, source.name);
    case "recording":
      return showBytes(a, await fetchBytes(source.url), source.name);
    case "study":
      return startStudy(a, source.url);
    case "live":
      showNothing(a, ["Waiting for the run\u2026"]);
      return startLive(a);
    case "none":
      showNothing(a, ["Nothing is running", "Choose a scenario.", drop]);
      startLive(a);
      return a.picker.open(false);
    case "alone":
      return showNothing(a, ["Look at a recording", drop]);
  }
}

const app = makeApp(document.getElementById("app")!);
makeHook(app);
app.page.setBadge("", "none");
app.page.setPush(false, false);
start(app).catch((error: unknown) => {
  showNothing(app, ["This cannot be shown", error instanceof Error ? error.message : String(error), drop]);
});
