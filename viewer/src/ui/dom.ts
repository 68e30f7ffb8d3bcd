// Elements without a framework.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

// Attributes by name; a function is a listener; false and undefined leave it out.
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as unknown as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

// Drawn on 24 by 24, with lines unless it begins with "f:".
const icons: Record<string, string> = {
  play: "f:M7 4.5v15l12.5-7.5z",
  pause: "f:M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  back: "M18 5l-9 7 9 7zM6 5v14",
  forward: "M6 5l9 7-9 7zM18 5v14",
  loop: "M4 12a7 7 0 0 1 7-7h7M15 2l3 3-3 3M20 12a7 7 0 0 1-7 7H6M9 22l-3-3 3-3",
  reset: "M4 4v6h6M4.6 10A8 8 0 1 1 4 14",
  open: "M3 6h6l2 2h10v11H3z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01",
  table: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14",
  hand: "M12 3v10M12 3l-3 3M12 3l3 3M5 13c0 4 3 8 7 8s7-4 7-8",
  zoom: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5M7.5 10h5",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  setIcon(svg, name);
  return svg;
}

export function setIcon(svg: SVGSVGElement, name: string): void {
  if (svg.dataset.icon === name) return;
  svg.dataset.icon = name;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const lines = icons[name] ?? "";
  path.setAttribute("d", lines.replace(/^f:/, ""));
  svg.classList.toggle("filled", lines.startsWith("f:"));
  svg.replaceChildren(path);
}

// label: for those who see no picture, and as a tip; key: of the keyboard
export function button(name: string | null, label: string, act: () => void, options: { text?: string; key?: string; class?: string } = {}): HTMLButtonElement {
  const tip = options.key ? `${label} (${options.key})` : label;
  return h("button", { type: "button", class: options.class ?? "", title: tip, "aria-label": options.text ? undefined : label, click: act }, name ? icon(name) : null, options.text ?? null);
}

export const setPressed = (b: HTMLElement, on: boolean): void => b.setAttribute("aria-pressed", String(on));

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

let told = 0;
export function tell(text: string, isError = false): void {
  const box = document.querySelector("#told") ?? document.body.appendChild(h("div", { id: "told", role: "status", "aria-live": "polite" }));
  const note = h("div", { class: isError ? "note error" : "note", role: isError ? "alert" : undefined }, h("span", {}, text), button("close", "Dismiss", () => note.remove()));
  if (++told && box.childElementCount > 2) box.firstElementChild?.remove();
  box.append(note);
  setTimeout(() => note.remove(), isError ? 15_000 : 4_000);
}
