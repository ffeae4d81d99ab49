// Runs before the first paint, so that a dark page never flashes light. The rest of the theme is src/lib/theme.ts.
{
  const chosen = localStorage.getItem("rl-lab.theme");
  const dark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
