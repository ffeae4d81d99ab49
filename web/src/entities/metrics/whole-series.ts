/** Every stored point of a metric, for a download: fetched in pieces that are small enough not to be thinned. */
import { api, data } from "@/api/client";
import type { Metrics } from "@/api/types";
import type { Series } from "@/charts/series";
import type { XAxis } from "./chart-search";
import { seriesOf } from "./series";

/** The most points that one answer of the lab may have. */
const PIECE = 20_000;

type Fetch = (runId: string, names: string, from: number, to: number) => Promise<Metrics>;

const fetchPiece: Fetch = (runId, names, from, to) =>
  data(
    api.GET("/api/runs/{run_id}/metrics", {
      params: { path: { run_id: runId }, query: { names, points: PIECE, x: "episode", from, to } },
    }),
  );

export async function wholeSeries(
  runId: string,
  name: string,
  x: XAxis,
  line: Pick<Series, "id" | "label" | "colour">,
  fetch: Fetch = fetchPiece,
): Promise<Series> {
  // The other axes are computed from these metrics as well.
  const names = [...new Set([name, "reward", ...(x.startsWith("metric:") ? [x.slice(7)] : [])])].join(",");
  const pieces: Metrics[] = [];
  for (let from = 0; ; from += PIECE) {
    const piece = await fetch(runId, names, from, from + PIECE - 1);
    pieces.push(piece);
    if (Object.values(piece.series).every(({ index }) => index.length === 0)) break;
    if (Object.values(piece.series).every(({ index }) => (index.at(-1) ?? 0) < from + PIECE - 1)) break;
  }
  return seriesOf(joined(pieces), name, x, line);
}

function joined(pieces: readonly Metrics[]): Metrics {
  const names = [...new Set(pieces.flatMap(({ series }) => Object.keys(series)))];
  return {
    series: Object.fromEntries(
      names.map((name) => {
        const parts = pieces.flatMap(({ series }) => series[name] ?? []);
        const all = <Key extends "index" | "step" | "time" | "value">(key: Key) =>
          parts.flatMap((part) => part[key] as (number | null)[]);
        const index = all("index") as number[];
        return [
          name,
          {
            index,
            step: all("step") as number[],
            time: all("time") as number[],
            value: all("value"),
            total: index.length,
          },
        ];
      }),
    ),
  };
}
