// A study beside the robot: its rows over two columns, and as a table. A click on a place or a row plays that run.
import { colours } from "../colours";
import { colourable, drawable, drawnOf, firstChoice, isGood, numberOf, placeOf, reasonOf, sortedRows, statusOf, type Choice, type Study, type StudyColumn } from "../data/study";
import { scaleGradient } from "../math/colour";
import { short, unitText } from "../math/nice";
import type { Theme } from "../theme";
import { h, setText } from "./dom";
import { drawStudy, rangeOf } from "./study_chart";

export interface StudyPanel {
  element: HTMLDetailsElement;
  set(study: Study): void;
  playing(scenario: string): void; // what the program says it runs
  repaint(theme: Theme): void;
}

const mostRows = 200; // shown at a time
const mostResults = 4; // columns, besides the one that colours

function chooser(label: string, act: (name: string) => void): { element: HTMLElement; fill(columns: StudyColumn[], now: string): void } {
  const field = h("select", { "aria-label": label });
  field.addEventListener("change", () => act(field.value));
  return {
    element: h("label", {}, label, field),
    fill: (columns, now) => {
      field.replaceChildren(...columns.map((c) => h("option", { value: c.name }, c.name)));
      field.value = now;
    },
  };
}

// Which columns fit beside the robot: the run, its keys, what colours, some other results.
function tableColumns(study: Study, choice: Choice): StudyColumn[] {
  const keys = study.columns.filter((c) => c.role === "row" || c.role === "key");
  const results = study.columns.filter((c) => c.name === choice.colour);
  for (const c of study.columns) if (c.role === "result" && !results.includes(c) && results.length < 1 + mostResults) results.push(c);
  return [...keys, ...study.columns.filter((c) => c.role === "status"), ...results, ...study.columns.filter((c) => c.role === "reason")];
}

export function makeStudyPanel(play: (row: number) => void): StudyPanel {
  const count = h("span", { class: "count" });
  const chart = h("div", {});
  const bar = h("i", { class: "bar" });
  const [least, most] = [h("span", {}), h("span", {})];
  const table = h("table", {});
  const more = h("p", { class: "empty", hidden: true });
  const state = { study: null as Study | null, choice: null as Choice | null, sort: "", down: false, playing: -1, theme: "light" as Theme };
  const choose = (what: keyof Choice) => (name: string) => {
    if (!state.choice) return;
    state.choice[what] = name;
    refresh();
  };
  const [x, y, colour] = [chooser("Across", choose("x")), chooser("Up", choose("y")), chooser("Colour", choose("colour"))];
  const element = h(
    "details", { class: "study alone", open: true, hidden: true }, h("summary", {}, "Study", count),
    h("div", { class: "choices" }, x.element, y.element, colour.element), chart,
    h("div", { class: "scale" }, least, bar, most), h("div", { class: "rows" }, table, more),
  );

  function refresh(): void {
    const { study, choice, theme } = state;
    if (!study || !choice) return;
    const drawn = drawnOf(study, choice);
    const look = { plot: colours[theme].plot, isDark: theme === "dark", playing: state.playing };
    chart.replaceChildren(drawStudy(study, choice, drawn, look, (spot) => {
      const good = spot.rows.find((r) => isGood(statusOf(study, study.rows[r]!)));
      play(numberOf(study, study.rows[good ?? spot.rows[0]!]!));
    }));
    bar.style.background = scaleGradient(look.isDark);
    const [low, high] = rangeOf(drawn.spots.map((s) => s.value).filter(Number.isFinite));
    const unit = unitText(study.columns[placeOf(study, choice.colour)]?.unit ?? "");
    setText(least, Number.isFinite(low) ? short(low) : "");
    setText(most, Number.isFinite(high) ? `${short(high)} ${unit}` : "no run has this number");
    fillTable(study, choice);
  }

  function fillTable(study: Study, choice: Choice): void {
    const columns = tableColumns(study, choice);
    const head = columns.map((c) => {
      const sorted = c.name === state.sort ? (state.down ? "descending" : "ascending") : undefined;
      const sort = h("button", { type: "button", title: `Sort by ${c.name}`, click: () => sortBy(c.name) }, c.name);
      return h("th", { scope: "col", "aria-sort": sorted }, sort);
    });
    const rows = sortedRows(study, state.sort, state.down);
    const body = rows.slice(0, mostRows).map((i) => {
      const row = study.rows[i]!;
      const number = numberOf(study, row);
      const cells = columns.map((c) => {
        const cell = row[placeOf(study, c.name)] ?? null;
        if (c.role === "row") return h("td", {}, h("button", { type: "button", title: "See this run", click: () => play(number) }, `#${number}`));
        return h("td", { class: c.role === "status" || c.role === "reason" ? c.role : "" }, typeof cell === "number" ? short(cell) : (cell ?? "\u2013"));
      });
      const line = h("tr", { "data-row": number, "aria-current": number === state.playing ? "true" : undefined, class: isGood(statusOf(study, row)) ? "" : "bad", title: reasonOf(study, row) }, ...cells);
      line.addEventListener("click", (event) => event.target instanceof HTMLButtonElement || play(number));
      return line;
    });
    table.replaceChildren(h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
    more.hidden = rows.length <= mostRows;
    setText(more, `The first ${mostRows} of ${rows.length} rows: sort by another column to see others.`);
  }

  function sortBy(name: string): void {
    state.down = name === state.sort && !state.down;
    state.sort = name;
    refresh();
  }

  return {
    element,
    set: (study) => {
      state.study = study;
      state.choice ??= firstChoice(study);
      state.sort ||= study.columns.find((c) => c.role === "row")!.name;
      const good = study.rows.filter((row) => isGood(statusOf(study, row))).length;
      setText(count, `${study.name}: ${study.rows.length} of ${study.total} runs${good < study.rows.length ? `, ${study.rows.length - good} without a good end` : ""}${study.at_work ? ", at work" : ""}`);
      x.fill(drawable(study), state.choice.x);
      y.fill(drawable(study), state.choice.y);
      colour.fill(colourable(study), state.choice.colour);
      element.hidden = false;
      refresh();
    },
    playing: (scenario) => {
      state.playing = Number(/ #(\d+)$/.exec(scenario)?.[1] ?? -1);
      element.classList.remove("alone"); // the run has signals to plot below
      refresh();
    },
    repaint: (theme) => {
      state.theme = theme;
      refresh();
    },
  };
}
