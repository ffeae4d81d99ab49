/** Rules of this folder that Biome cannot express; src/README.md explains them. */
import { describe, expect, it } from "vitest";

const MOST_FILES = 22;

const sources = import.meta.glob<string>("./**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** "./panels/replay/player.ts" belongs to the part "panels/replay"; charts, ui, api and lib are one part each. */
function partOf(path: string): string {
  const [layer, folder, ...rest] = path.replace(/^(@|\.)\//, "").split("/");
  const isSplit = ["entities", "panels", "pages"].includes(layer!) && rest.length > 0;
  return isSplit ? `${layer}/${folder}` : layer!;
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?"(@\/[^"]+)"/g)].map((match) => match[1]!);

function edges(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(sources)) {
    const from = partOf(path);
    const to = importsOf(text)
      .map(partOf)
      .filter((part) => part !== from);
    found.set(from, new Set([...(found.get(from) ?? []), ...to]));
  }
  return found;
}

/** The parts on a way from `part` back to itself; null when there is none. */
function cycleFrom(graph: Map<string, Set<string>>, part: string): string[] | null {
  const ways = [[part]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way; way = ways.shift()) {
    for (const next of graph.get(way.at(-1)!) ?? []) {
      if (next === part) return [...way, part];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

describe("folders", () => {
  it("reads the imports of the whole page", () => {
    expect(edges().get("app")).toContain("pages/lab");
    expect(edges().get("panels/replay")).toContain("lib");
  });

  it("finds a cycle in a graph that has one", () => {
    const graph = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c"])],
      ["c", new Set(["a"])],
    ]);
    expect(cycleFrom(graph, "a")).toEqual(["a", "b", "c", "a"]);
  });

  it("do not import each other in a circle", () => {
    const graph = edges();
    expect([...graph.keys()].map((part) => cycleFrom(graph, part)).filter(Boolean)).toEqual([]);
  });

  it("stay small enough to look through", () => {
    const counts: Record<string, number> = {};
    for (const path of Object.keys(sources)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      counts[folder] = (counts[folder] ?? 0) + 1;
    }
    expect(Object.entries(counts).filter(([, files]) => files > MOST_FILES)).toEqual([]);
  });
});

describe("addresses", () => {
  it("of the API that the browser opens by itself are made in api/addresses.ts, which adds the view key", () => {
    const isMade = /mediaAddress\(|\/(frames|preview|replay|socket)`|path={`\/api\/stage/;
    const found = Object.entries(sources).flatMap(([path, text]) =>
      text
        .split("\n")
        .filter((line) => line.includes("`/api/") && !isMade.test(line) && !path.includes(".test."))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
    expect(sources["./panels/stage/Stage.tsx"]).toContain("socketAddress(path)");
    expect(sources["./panels/replay/use-replay.ts"]).toContain("socketAddress(address)");
  });

  it("are fetched by the typed client, which sends the key; only the sign-in and the health check are not", () => {
    const fetching = Object.entries(sources).filter(
      ([path, text]) => /(?<![.\w])fetch\(["`]/.test(text) && !path.includes(".test."),
    );
    expect(fetching.map(([path]) => path).sort()).toEqual(["./api/session.ts", "./lib/chunks.ts"]);
  });
});

describe("components", () => {
  it("draw: what changes something on the server is a hook in a .ts file", () => {
    const changing = Object.entries(sources).filter(
      ([path, text]) =>
        /^\.\/(entities|panels|pages)\/.*\.tsx$/.test(path) && /\b(useMutation|useQueryClient)\b/.test(text),
    );
    expect(changing.map(([path]) => path)).toEqual([]);
  });
});
