// Choose a scenario: pictures with one line each.
import { fetchScenarios, here, type Scenario } from "../data/source";
import { button, h } from "./dom";

export interface Picker {
  element: HTMLDialogElement;
  open(closable: boolean): void;
  close(): void;
}

function card(s: Scenario, choose: (name: string) => void): HTMLElement {
  const [group, ...rest] = s.name.split("/");
  const picture = s.picture
    ? h("img", { src: here(s.picture), alt: "", loading: "lazy", width: 320, height: 200 })
    : h("div", { class: "placeholder", "aria-hidden": "true" }, rest.join("/").slice(0, 1) || s.name.slice(0, 1));
  const element = h("button", { type: "button", class: "scenario", "data-name": s.name, click: () => choose(s.name) }, picture, h("strong", {}, rest.join("/") || s.name), h("span", {}, s.title || s.source), h("small", {}, rest.length ? group : ""));
  element.title = s.source ? `${s.title}\n${s.source}` : s.title;
  return element;
}

export function makePicker(choose: (name: string) => void, openFile: () => void): Picker {
  const field = h("input", { type: "search", placeholder: "Search scenarios", "aria-label": "Search scenarios" });
  const grid = h("div", { class: "scenarios" });
  const close = button("close", "Close", () => element.close(), { key: "Esc" });
  const file = button("open", "Open a recording from a file", openFile, { text: "Open a recording" });
  const element = h("dialog", { class: "picker", "aria-label": "Scenarios" }, h("header", {}, h("h2", {}, "Choose a scenario to run"), field, file, close), grid);
  let cards: { element: HTMLElement; text: string }[] = [];
  let closable = true;
  element.addEventListener("cancel", (e) => {
    if (!closable) e.preventDefault();
  });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const c of cards) c.element.hidden = !words.every((w) => c.text.includes(w));
  });

  async function fill(): Promise<void> {
    grid.replaceChildren(h("p", { class: "empty" }, "Loading the list\u2026"));
    try {
      const list = await fetchScenarios();
      cards = list.map((s) => ({ element: card(s, choose), text: `${s.name} ${s.title} ${s.source}`.toLowerCase() }));
      grid.replaceChildren(...cards.map((c) => c.element));
    } catch (error) {
      grid.replaceChildren(h("p", { class: "empty" }, String(error instanceof Error ? error.message : error)));
    }
  }

  return {
    element,
    open: (mayClose) => {
      closable = mayClose;
      close.hidden = !mayClose;
      field.value = "";
      void fill();
      if (!element.open) element.showModal();
      field.focus();
    },
    close: () => element.close(),
  };
}
