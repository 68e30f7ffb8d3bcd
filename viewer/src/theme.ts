// Light or dark: as the system says until someone chooses.
import { variables } from "./colours";

export type Theme = "light" | "dark";

export function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
export function applyTheme(theme: Theme): void {
  const { dataset, style } = document.documentElement;
  dataset.theme = theme;
  for (const [name, colour] of Object.entries(variables(theme))) style.setProperty(`--${name}`, colour);
}
