/** How trainings come from each other, left to right. Each run is a link; the same is there as a list. */
import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import type { Lineage } from "@/api/types";
import { formatCount, formatNumber, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { edgeLabel, edgePath, type Layout, labelPlace, layoutOf, NODE } from "./layout";

export function LineagePicture({ lineage }: { lineage: Lineage }) {
  const [isList, setIsList] = useState(false);
  const layout = layoutOf(lineage);
  const ways = formatPlural(lineage.nodes.length, "run");
  if (lineage.nodes.length <= 1)
    return (
      <p className="p-4 text-sm text-ink-2">
        This training started from nothing, and no other training has started from it.
      </p>
    );
  return (
    <div className="flex flex-col">
      {isList ? <Ways lineage={lineage} /> : <Picture layout={layout} currentId={lineage.run_id} />}
      <div className="flex flex-wrap items-center gap-3 border-t px-4 py-2 text-xs text-ink-2">
        <span>{lineage.is_cut ? `The first ${ways}; there are more.` : `${ways}.`}</span>
        <Button small kind="quiet" aria-pressed={isList} onClick={() => setIsList(!isList)}>
          {isList ? "Show as a picture" : "Show as a list"}
        </Button>
      </div>
    </div>
  );
}

function Picture({ layout, currentId }: { layout: Layout; currentId: string }) {
  const scroller = useRef<HTMLElement>(null);
  const arrow = useId();
  // A long line of ancestors is wider than the page: the run that it is about is in the middle.
  useEffect(() => {
    const current = layout.nodes.find(({ node }) => node.run_id === currentId);
    if (scroller.current && current)
      scroller.current.scrollLeft = current.x + NODE.width / 2 - scroller.current.clientWidth / 2;
  }, [layout, currentId]);
  return (
    <section
      ref={scroller}
      tabIndex={0}
      aria-label="Lineage, from the first training on the left to the latest on the right"
      className="ring-inside max-h-112 overflow-auto p-4"
    >
      <div className="relative" style={{ width: layout.width, height: layout.height }}>
        <svg
          aria-hidden="true"
          width={layout.width}
          height={layout.height}
          className="pointer-events-none absolute inset-0"
        >
          <defs>
            <marker
              id={arrow}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" className="fill-ink-3" />
            </marker>
          </defs>
          {layout.edges.map((one) => (
            <path
              key={`${one.edge.parent} ${one.edge.child} ${one.edge.kind}`}
              d={edgePath(one)}
              markerEnd={`url(#${arrow})`}
              className="fill-none stroke-ink-3"
              strokeWidth={1.25}
            />
          ))}
          {layout.edges.map((one) => (
            <EdgeLabel
              key={`${one.edge.parent} ${one.edge.child} ${one.edge.kind}`}
              text={one.label}
              {...labelPlace(one)}
            />
          ))}
        </svg>
        {layout.nodes.map(({ node, x, y }) => (
          <div
            key={node.run_id}
            className="absolute"
            style={{ left: x, top: y, width: NODE.width, height: NODE.height }}
          >
            <Node node={node} isCurrent={node.run_id === currentId} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** In two lines, with the page's colour behind them so that they can be read over the edges. */
function EdgeLabel({ text, x, y }: { text: string; x: number; y: number }) {
  const [what, where] = text.split(" at ");
  return (
    <text x={x} y={where ? y - 2 : y + 3} textAnchor="middle" className="figures fill-ink-2 text-2xs">
      {[what, where && `at ${where}`].filter(Boolean).map((line, i) => (
        <tspan
          key={i}
          x={x}
          dy={i === 0 ? 0 : 12}
          className="stroke-surface"
          strokeWidth={6}
          paintOrder="stroke"
        >
          {line}
        </tspan>
      ))}
    </text>
  );
}

type NodeData = Lineage["nodes"][number];

const BOX = "ring-inside flex h-full flex-col justify-center gap-0.5 rounded-md border px-3 py-2 text-left";

function Node({ node, isCurrent }: { node: NodeData; isCurrent: boolean }) {
  const facts = (
    <>
      <span className="truncate text-sm font-medium">{node.name}</span>
      <span className="figures truncate text-2xs text-ink-2">
        {[node.env_id, node.algorithm.toUpperCase()].filter(Boolean).join(" · ")}
      </span>
      <span className="figures truncate text-2xs text-ink-3">{factsOf(node)}</span>
    </>
  );
  if (node.is_deleted) return <div className={cx(BOX, "border-dashed bg-bg text-ink-3")}>{facts}</div>;
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: node.run_id }}
      aria-current={isCurrent ? "true" : undefined}
      className={cx(BOX, isCurrent ? "border-2 border-ink bg-select" : "bg-surface hover:bg-sunken")}
    >
      {facts}
    </Link>
  );
}

const factsOf = (node: NodeData): string =>
  [
    node.is_deleted ? "deleted" : "",
    `${formatCount(node.timestep)} steps`,
    node.score == null ? "" : `return ${formatNumber(node.score, 4)}`,
  ]
    .filter(Boolean)
    .join(" · ");

function Ways({ lineage }: { lineage: Lineage }) {
  const named = new Map(lineage.nodes.map((node) => [node.run_id, node]));
  return (
    <ul aria-label="Lineage" className="flex flex-col">
      {lineage.edges.map((edge) => (
        <li
          key={`${edge.parent} ${edge.child} ${edge.kind}`}
          className="border-b px-4 py-2 text-sm last:border-0"
        >
          <Name node={named.get(edge.child)} currentId={lineage.run_id} />
          {` comes from `}
          <Name node={named.get(edge.parent)} currentId={lineage.run_id} />
          {`: ${edgeLabel(edge)}.`}
        </li>
      ))}
    </ul>
  );
}

function Name({ node, currentId }: { node: NodeData | undefined; currentId: string }) {
  if (!node) return <>a run that is not in this lab</>;
  return (
    <>
      {node.is_deleted ? (
        <span>{`${node.name} (deleted)`}</span>
      ) : (
        <Link to="/runs/$runId" params={{ runId: node.run_id }} className="underline underline-offset-2">
          {node.name}
        </Link>
      )}
      {node.run_id === currentId && (
        <>
          {" "}
          <Badge>this training</Badge>
        </>
      )}
    </>
  );
}
