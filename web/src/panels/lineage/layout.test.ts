import { expect, test } from "vitest";
import type { Lineage } from "@/api/types";
import { edgeLabel, edgePath, layoutOf } from "./layout";

const node = (run_id: string) => ({ run_id, name: run_id }) as Lineage["nodes"][number];
const edge = (parent: string, child: string, timestep: number | null = null) =>
  ({ parent, child, kind: "warm_start", timestep, checkpoint: null }) as Lineage["edges"][number];
const column = (of: ReturnType<typeof layoutOf>, id: string) =>
  of.nodes.find(({ node: { run_id } }) => run_id === id)!.x;

test("children are right of all their parents", () => {
  const made = layoutOf({
    nodes: ["d", "c", "b", "a"].map(node),
    edges: [edge("a", "b"), edge("b", "c"), edge("a", "c"), edge("c", "d")],
  });
  const xs = ["a", "b", "c", "d"].map((id) => column(made, id));
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(new Set(xs).size).toBe(4);
  expect(made.edges).toHaveLength(4);
});

test("children of one parent are below each other, in the order of their parents", () => {
  const made = layoutOf({
    nodes: ["p", "q", "q1", "p1", "p2"].map(node),
    edges: [edge("p", "p1"), edge("p", "p2"), edge("q", "q1")],
  });
  const rows = made.nodes
    .filter(({ node: { run_id } }) => run_id.length === 2)
    .sort((a, b) => a.y - b.y)
    .map(({ node: { run_id } }) => run_id);
  expect(rows).toEqual(["p1", "p2", "q1"]);
  const spots = made.nodes.map(({ x, y }) => `${x} ${y}`);
  expect(new Set(spots).size).toBe(5);
});

test("one run alone, an edge to a run that is not there, and a circle end with a picture", () => {
  expect(layoutOf({ nodes: [node("a")], edges: [] })).toMatchObject({ edges: [], nodes: [{ x: 6, y: 6 }] });
  expect(layoutOf({ nodes: [node("a")], edges: [edge("gone", "a")] }).edges).toEqual([]);
  const circle = layoutOf({ nodes: ["a", "b"].map(node), edges: [edge("a", "b"), edge("b", "a")] });
  expect(circle.nodes).toHaveLength(2);
  expect(edgePath(circle.edges[0]!)).toMatch(/^M[\d.]+ [\d.]+C/);
});

test("an edge says what connects two runs, and at which step", () => {
  expect(edgeLabel({ kind: "warm_start", timestep: 40_000 })).toBe("warm start at step 40,000");
  expect(edgeLabel({ kind: "fork", timestep: null })).toBe("fork");
});
