/** Where the runs of a lineage are drawn: parents left of their children. Pure. */
import type { Lineage } from "@/api/types";
import { formatCount } from "@/lib/format";

type Node = Lineage["nodes"][number];
type Edge = Lineage["edges"][number];

export const NODE = { width: 208, height: 76 } as const;
const GAP = { x: 132, y: 20 } as const;
const MARGIN = 6;

export interface PlacedNode {
  node: Node;
  x: number;
  y: number;
}

export interface PlacedEdge {
  edge: Edge;
  from: PlacedNode;
  to: PlacedNode;
  label: string;
}

export interface Layout {
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

const KINDS: Record<Edge["kind"], string> = {
  warm_start: "warm start",
  fork: "fork",
  import: "import",
};

/** "warm start at step 40,000". */
export function edgeLabel({ kind, timestep }: Pick<Edge, "kind" | "timestep">): string {
  return timestep == null ? KINDS[kind] : `${KINDS[kind]} at step ${formatCount(timestep)}`;
}

export function layoutOf({ nodes, edges }: Pick<Lineage, "nodes" | "edges">): Layout {
  const known = new Set(nodes.map((node) => node.run_id));
  const inside = edges.filter((edge) => known.has(edge.parent) && known.has(edge.child));
  const columns = columnsOf(nodes, inside);
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const height = tallest * (NODE.height + GAP.y) - GAP.y + 2 * MARGIN;
  const placed = new Map<string, PlacedNode>();
  columns.forEach((column, depth) => {
    const own = column.length * (NODE.height + GAP.y) - GAP.y;
    column.forEach((node, row) => {
      placed.set(node.run_id, {
        node,
        x: MARGIN + depth * (NODE.width + GAP.x),
        y: (height - own) / 2 + row * (NODE.height + GAP.y),
      });
    });
  });
  return {
    nodes: [...placed.values()],
    edges: inside.map((edge) => ({
      edge,
      from: placed.get(edge.parent)!,
      to: placed.get(edge.child)!,
      label: edgeLabel(edge),
    })),
    width: columns.length * (NODE.width + GAP.x) - GAP.x + 2 * MARGIN,
    height,
  };
}

/** Column by column from the left; within a column in the order of the parents. */
function columnsOf(nodes: readonly Node[], edges: readonly Edge[]): Node[][] {
  const depths = depthsOf(nodes, edges);
  const columns: Node[][] = Array.from({ length: Math.max(0, ...depths.values()) + 1 }, () => []);
  for (const node of nodes) columns[depths.get(node.run_id)!]!.push(node);
  const rows = new Map<string, number>();
  for (const column of columns) {
    const rank = new Map(column.map((node) => [node.run_id, meanRow(node, edges, rows)]));
    column.sort((a, b) => rank.get(a.run_id)! - rank.get(b.run_id)!);
    column.forEach((node, row) => {
      rows.set(node.run_id, row);
    });
  }
  return columns;
}

function meanRow(node: Node, edges: readonly Edge[], rows: ReadonlyMap<string, number>): number {
  const parents = edges
    .filter((edge) => edge.child === node.run_id)
    .flatMap(({ parent }) => rows.get(parent) ?? []);
  return parents.length === 0 ? 0 : parents.reduce((sum, row) => sum + row, 0) / parents.length;
}

/** The longest way from a run without parents. Data with a circle in it still ends. */
function depthsOf(nodes: readonly Node[], edges: readonly Edge[]): Map<string, number> {
  const depths = new Map(nodes.map((node) => [node.run_id, 0]));
  for (let round = 0; round < nodes.length; round++) {
    let isMoved = false;
    for (const { parent, child } of edges) {
      const least = depths.get(parent)! + 1;
      if (least > depths.get(child)! && least < nodes.length) {
        depths.set(child, least);
        isMoved = true;
      }
    }
    if (!isMoved) break;
  }
  return depths;
}

/** From the middle of a node's right side to the middle of the next one's left side. */
export function edgePath({ from, to }: Pick<PlacedEdge, "from" | "to">): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** Where a label is: next to the child, because the edges of one parent begin at one point. */
export function labelPlace({ from, to }: Pick<PlacedEdge, "from" | "to">): { x: number; y: number } {
  const [y1, y2] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  return { x: to.x - GAP.x / 2, y: y1 + (y2 - y1) * 0.5 };
}
