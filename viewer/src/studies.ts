// The study that the program serves: read once, and again for as long as somebody works on it.
import { showNothing, type App } from "./app";
import { here } from "./data/source";
import { fetchStudy } from "./data/study";
import { startLive } from "./session";
import { tell } from "./ui/dom";

const again = 2000; // ms

async function refresh(a: App, url: string): Promise<void> {
  try {
    const study = await fetchStudy(here(url));
    a.study.set(study);
    if (!study.at_work) return;
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), true);
    return;
  }
  setTimeout(() => void refresh(a, url), again);
}

export async function startStudy(a: App, url: string): Promise<void> {
  const study = await fetchStudy(here(url));
  showNothing(a, [`${study.scenario}: ${study.rows.length} runs`, "Click on a place of the map, or on a row of the table, to see that run."]);
  a.page.setTitle(study.name, study.scenario);
  a.parameters.element.open = false; // the study needs the room
  await refresh(a, url);
  startLive(a);
}

export function playRow(a: App, row: number): void {
  startLive(a);
  a.state.wanted = `#${row}`;
  a.state.live?.send({ type: "load", scenario: a.state.wanted });
}
