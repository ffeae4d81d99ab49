/** A chart as a file: the numbers as CSV, the picture as SVG or PNG. */
import uPlot from "uplot";
import type { Series } from "@/charts/series";
import { textCell } from "./csv";
import { HEIGHT, WIDTH } from "./figure";

export function csvOf(xTitle: string, series: readonly Series[]): { text: string; rows: number } {
  const head = [xTitle, ...distinct(series.map((s) => s.label))].map(textCell).join(",");
  if (series.length === 0) return { text: `${head}\n`, rows: 0 };
  const [xs, ...columns] = uPlot.join(
    series.map((s) => [Array.from(s.xs), Array.from(s.ys)] as uPlot.AlignedData),
  );
  const rows = Array.from(xs, (x, i) => [x, ...columns.map((column) => column[i] ?? "")].join(","));
  return { text: `${[head, ...rows].join("\n")}\n`, rows: rows.length };
}

/** Columns of the same name get a number. */
const distinct = (labels: readonly string[]): string[] =>
  labels.map((label, i) =>
    labels.indexOf(label) === labels.lastIndexOf(label)
      ? label
      : `${label} (${labels.slice(0, i + 1).filter((other) => other === label).length})`,
  );

const SHARPNESS = 2;

/** The picture with twice as many pixels as its size, for print. */
export async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [WIDTH * SHARPNESS, HEIGHT * SHARPNESS];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** "PPO on CartPole-v1 · seed 3" and "Episode reward" → "ppo-on-cartpole-v1-seed-3-episode-reward". */
export const fileNameOf = (...parts: readonly string[]): string =>
  parts
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 120);

export function download(name: string, content: Blob | string, type = "text/csv"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
