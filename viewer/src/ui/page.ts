// The page: the robot large on the left, numbers and plots on the right, time below.
import { button, h, icon, setPressed, setText } from "./dom";

export interface PageActions {
  scenarios(): void;
  openFile(): void;
  copyLink(): void;
  theme(): void;
  help(): void;
  fit(): void;
  top(): void;
  side(): void;
  follow(): void;
  push(): void;
  picture(): void;
  signals(): void;
  plotsPicture(): void;
  plotsTable(): void;
  unzoom(): void;
}
export interface Page {
  root: HTMLElement;
  stage: HTMLElement; // where the robot is drawn
  side: HTMLElement;
  sideTools: HTMLElement;
  setTitle(name: string, title: string): void;
  setBadge(text: string, kind: "recording" | "live" | "paused" | "off" | "none"): void;
  setBanner(text: string, isError: boolean): void;
  setWelcome(text: string[] | null): void;
  setFollow(on: boolean): void;
  setPush(shown: boolean, on: boolean): void;
  setZoomed(yes: boolean): void;
  showScenarios(yes: boolean): void;
}

function logo(): HTMLElement {
  const svg = icon("");
  svg.innerHTML = '<path d="M3 16c4.500 0 4.500-9 9-9s4.500 9 9 9"/>';
  svg.classList.add("mark");
  return h("span", { class: "logo" }, svg, "sinew");
}

function makeCameras(act: PageActions): { cameras: HTMLElement; follow: HTMLElement; push: HTMLElement } {
  const follow = button(null, "The camera goes along with the robot", act.follow, { text: "Follow", key: "G" });
  const push = button("hand", "Push: drag a part of the robot", act.push, { text: "Push", key: "or Shift + drag" });
  const cameras = h(
    "div", { class: "cameras", role: "group", "aria-label": "Camera" },
    button(null, "Fit the robot into the picture", act.fit, { text: "Fit", key: "F" }),
    button(null, "From the top", act.top, { text: "Top", key: "T" }),
    button(null, "From the side", act.side, { text: "Side", key: "S" }),
    follow, push,
    button("picture", "Save the picture as PNG", act.picture),
  );
  return { cameras, follow, push };
}

export function makePage(act: PageActions): Page {
  const name = h("h1", {});
  const title = h("p", {});
  const badge = h("span", { class: "badge", role: "status" });
  const scenarios = button("grid", "Choose a scenario", act.scenarios, { text: "Scenarios" });
  const bar = h(
    "header", { class: "top" }, logo(), h("div", { class: "what" }, name, title), badge, h("span", { class: "space" }),
    scenarios,
    button("open", "Open a recording from a file", act.openFile, { text: "Open", key: "or drop it on the page" }),
    button("link", "Copy a link to this view", act.copyLink, { text: "Link" }),
    button("sun", "Light or dark", act.theme, { key: "D" }),
    button("help", "Keys and mouse", act.help, { key: "?" }),
  );
  const { cameras, follow, push } = makeCameras(act);
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const welcome = h("div", { class: "welcome", hidden: true });
  const stage = h("main", { class: "stage", "aria-label": "The robot", tabindex: 0 }, welcome, cameras, banner);
  const unzoom = button("zoom", "Show all times", act.unzoom, { text: "All" });
  const sideTools = h(
    "div", { class: "tools" },
    button("plus", "Choose signals to plot", act.signals, { text: "Signals", key: "/" }), h("span", { class: "space" }), unzoom,
    button("picture", "Save the plots as PNG", act.plotsPicture, { text: "PNG" }),
    button("table", "Save what is plotted as CSV", act.plotsTable, { text: "CSV" }),
  );
  const side = h("section", { class: "side", "aria-label": "Numbers and plots" });
  const root = h("div", { class: "page" }, bar, stage, side);
  return {
    root, stage, side, sideTools,
    setTitle: (n, t) => {
      setText(name, n);
      setText(title, t);
      document.title = n ? `${n} \u00b7 sinew` : "sinew";
    },
    setBadge: (text, kind) => {
      setText(badge, text);
      if (badge.dataset.kind !== kind) badge.dataset.kind = kind;
      badge.hidden = kind === "none";
    },
    setBanner: (text, isError) => {
      setText(banner, text);
      banner.classList.toggle("error", isError);
      banner.hidden = !text;
    },
    setWelcome: (lines) => {
      welcome.hidden = !lines;
      welcome.replaceChildren(...(lines ?? []).map((line, i) => h(i ? "p" : "h2", {}, line)));
    },
    setFollow: (on) => setPressed(follow, on),
    setPush: (shown, on) => {
      push.hidden = !shown;
      setPressed(push, on);
    },
    setZoomed: (yes) => (unzoom.disabled = !yes),
    showScenarios: (yes) => (scenarios.hidden = !yes),
  };
}
