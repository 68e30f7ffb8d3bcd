// All that the page knows at one moment.
import { makeClock, type Clock } from "./data/clock";
import type { Hello, Live, RunState } from "./data/live";
import type { ViewState } from "./data/link";
import type { Source } from "./data/source";
import type { Take } from "./data/take";
import type { View } from "./draw/view";
import type { Theme } from "./theme";

export interface State {
  clock: Clock;
  view: View;
  take: Take | null;
  source: Source["kind"];
  live: Live | null;
  hello: Hello | null;
  run: RunState | null; // of the live run
  connected: boolean;
  failed: string;
  wanted: string; // scenario to load as soon as the program answers
  theme: Theme;
  link: ViewState; // still to be applied to the next take
}

export function makeState(view: View, theme: Theme): State {
  return { clock: makeClock(), view, take: null, source: "alone", live: null, hello: null, run: null, connected: false, failed: "", wanted: "", theme, link: {} };
}
