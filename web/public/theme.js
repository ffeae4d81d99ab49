// Runs before the first paint, so that a dark page never flashes light and the outline of the page has its shape.
// The rest of the theme is src/lib/theme.ts, the outline is src/app/boot.css.
{
  const chosen = localStorage.getItem("rl-lab.theme");
  const dark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.documentElement.dataset.page = location.pathname === "/" ? "lab" : "other";
}
