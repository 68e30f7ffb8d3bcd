// Light or dark: as the system says until someone chooses.
export type Theme = "light" | "dark";

export function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}
