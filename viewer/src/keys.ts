// Keys of the whole page. What is typed into a field, or held with Ctrl, is not for us.

export type Keys = Record<string, (event: KeyboardEvent) => void>;

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "range";
}

export function listen(keys: Keys): void {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    // a button or box in focus answers the space bar itself, a slider the arrows
    if (event.key === " " && (target instanceof HTMLButtonElement || (target instanceof HTMLInputElement && target.type === "checkbox") || target.tagName === "SUMMARY")) return;
    if (event.key.startsWith("Arrow") && target instanceof HTMLInputElement && target.type === "range") return;
    const name = (event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const act = keys[name];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
