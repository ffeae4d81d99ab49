/** A chart as a file: the numbers as CSV, the picture as PNG. */
import uPlot from "uplot";
import type { Series } from "./series";

export function csvOf(xTitle: string, series: readonly Series[]): string {
  const head = [xTitle, ...series.map((s) => s.label)].map(quoted).join(",");
  if (series.length === 0) return `${head}\n`;
  const [xs, ...columns] = uPlot.join(
    series.map((s) => [Array.from(s.xs), Array.from(s.ys)] as uPlot.AlignedData),
  );
  const rows = Array.from(xs, (x, i) => [x, ...columns.map((column) => column[i] ?? "")].join(","));
  return `${[head, ...rows].join("\n")}\n`;
}

/** The canvas on the page's own background: a transparent PNG is unreadable in a dark viewer. */
export function pngOf(canvas: HTMLCanvasElement, background: string): Promise<Blob | null> {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const pen = copy.getContext("2d")!;
  pen.fillStyle = background;
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  return new Promise((resolve) => copy.toBlob(resolve, "image/png"));
}

export function download(name: string, content: Blob | string): void {
  const blob = typeof content === "string" ? new Blob([content], { type: "text/csv" }) : content;
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
