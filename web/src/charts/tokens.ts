/** The page's colour tokens as values a canvas understands. */
export interface ChartTokens {
  ink: string;
  ink3: string;
  line: string;
  surface: string;
  warn: string;
  mono: string;
  sans: string;
}

export function chartTokens(): ChartTokens {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: token("--ink"),
    ink3: token("--ink-3"),
    line: token("--line"),
    surface: token("--surface"),
    warn: token("--warn"),
    mono: token("--font-mono") || "monospace",
    sans: token("--font-sans") || "sans-serif",
  };
}
