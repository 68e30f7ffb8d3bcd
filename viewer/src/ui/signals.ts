// The searchable tree of all signals. Groups are filled when they are opened: a long robot has ten thousand signals.
import { makeTree, search, type Node } from "../data/tree";
import type { Column, Take } from "../data/take";
import { unitText } from "../math/nice";
import { button, h } from "./dom";

export interface SignalsDrawer {
  element: HTMLElement;
  setTake(take: Take | null): void;
  refresh(): void; // what is shown has changed
  open(yes: boolean): void;
}

const limit = 200; // of found ones

export function makeSignals(shown: (column: number) => boolean, toggle: (column: number) => void, closed: () => void): SignalsDrawer {
  const field = h("input", { type: "search", placeholder: "Search: speed, link1 torque, [N]", "aria-label": "Search signals" });
  const tree = h("div", { class: "tree" });
  const close = (): void => {
    element.hidden = true;
    closed();
  };
  const element = h("aside", { class: "drawer", hidden: true, "aria-label": "Signals" }, h("header", {}, h("h2", {}, "Signals"), button("close", "Close", close, { key: "Esc" })), field, tree);
  let columns: Column[] = [];
  let nodes: Node[] = [];

  function leaf(column: number, label: string): HTMLElement {
    const c = columns[column]!;
    const box = h("input", { type: "checkbox", "data-column": column, change: () => toggle(column) });
    box.checked = shown(column);
    return h("label", { class: "leaf", title: `${c.name}: ${c.description}` }, box, h("span", { class: "name" }, label), h("span", { class: "unit" }, unitText(c.unit)));
  }

  function branch(node: Node): HTMLElement {
    if (node.children.length === 0) return leaf(node.column, node.label);
    const inner = h("div", { class: "inner" });
    const details = h("details", {}, h("summary", {}, `${node.label} `, h("span", { class: "count" }, String(node.children.length))), inner);
    details.addEventListener("toggle", () => {
      if (details.open && inner.childElementCount === 0) {
        if (node.column >= 0) inner.append(leaf(node.column, node.label));
        inner.append(...node.children.map(branch));
      }
    });
    return details;
  }

  function fill(): void {
    const words = field.value.trim();
    if (!words) return tree.replaceChildren(...nodes.map(branch));
    const found = search(columns, words, limit);
    tree.replaceChildren(...found.map((c) => leaf(c, columns[c]!.name)));
    if (found.length === 0) tree.append(h("p", { class: "empty" }, `Nothing is called "${words}".`));
    if (found.length === limit) tree.append(h("p", { class: "empty" }, `The first ${limit}: search for more words.`));
  }

  field.addEventListener("input", fill);
  return {
    element,
    setTake: (take) => {
      columns = take ? [...take.columns, ...take.derived] : [];
      nodes = makeTree(columns).filter((n) => n.label !== "t");
      field.value = "";
      fill();
    },
    refresh: () => {
      for (const box of tree.querySelectorAll<HTMLInputElement>("input[data-column]")) box.checked = shown(Number(box.dataset.column));
    },
    open: (yes) => {
      element.hidden = !yes;
      if (yes) field.focus();
    },
  };
}
