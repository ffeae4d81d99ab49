/** Light, dark or the system's theme; public/theme.js applies the same choice before the first paint. */
import { createStore } from "./store";

export type Theme = "light" | "dark";
const KEY = "rl-lab.theme";

export const theme = createStore<Theme>(document.documentElement.dataset.theme === "dark" ? "dark" : "light");

export function toggleTheme(): void {
  const next: Theme = theme.get() === "dark" ? "light" : "dark";
  localStorage.setItem(KEY, next);
  apply(next);
}

/** Follows the system until the user has chosen; returns the function that stops. */
export function followSystemTheme(): () => void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const onChange = () => {
    if (localStorage.getItem(KEY) === null) apply(system.matches ? "dark" : "light");
  };
  system.addEventListener("change", onChange);
  return () => system.removeEventListener("change", onChange);
}

function apply(next: Theme): void {
  document.documentElement.dataset.theme = next;
  theme.set(next);
}
