/** The columns of the table of checkpoints: heads, widths, cells and sorting are built from this list. */
import type { ReactNode } from "react";
import type { CheckpointItem } from "@/api/types";
import { protocolText, scoreHelp, shortProtocol } from "@/entities/checkpoints/score";
import { checkpointName, placeText, rolesOf, shortHash, versionName } from "@/entities/checkpoints/words";
import { formatBytes, formatCount, formatDate, formatNumber, NOTHING } from "@/lib/format";
import type { ColumnHead } from "@/panels/table/sort";
import { Badge } from "@/ui/Badge";
import { Icon } from "@/ui/icons";

export interface CheckpointColumn extends ColumnHead {
  cell: (item: CheckpointItem) => ReactNode;
}

export const COLUMNS: readonly CheckpointColumn[] = [
  {
    id: "name",
    title: "Checkpoint",
    width: "minmax(14rem,1fr)",
    cell: (item) => <NameCell item={item} />,
  },
  {
    id: "environment",
    title: "Environment",
    width: "9.5rem",
    sort: "env_id",
    cell: (item) => item.env_id || NOTHING,
  },
  {
    id: "algorithm",
    title: "Algorithm",
    width: "6.5rem",
    sort: "algorithm",
    cell: (item) => item.algorithm.toUpperCase() || NOTHING,
  },
  {
    id: "steps",
    title: "Steps",
    width: "6.5rem",
    sort: "timestep",
    isFigure: true,
    help: "How many steps it had been trained.",
    cell: (item) => formatCount(item.timestep),
  },
  {
    id: "score",
    title: "Return",
    width: "11.5rem",
    sort: "score",
    isFigure: true,
    help: "Mean return, and how it was measured: by an evaluation where there is one, else in training.",
    cell: (item) => <ScoreCell item={item} />,
  },
  {
    id: "names",
    title: "Names and tags",
    width: "minmax(9rem,14rem)",
    cell: (item) => <NamesCell item={item} />,
  },
  {
    id: "size",
    title: "Size",
    width: "5.5rem",
    sort: "size",
    isFigure: true,
    cell: (item) => formatBytes(item.size),
  },
  { id: "hash", title: "Hash", width: "6.5rem", cell: (item) => <HashCell item={item} /> },
  {
    id: "created",
    title: "Saved",
    width: "7rem",
    sort: "created_at",
    cell: (item) => <span className="text-xs text-ink-2">{formatDate(item.created_at)}</span>,
  },
];

export const DEFAULT_SORT = "-created_at";

/** On a phone: name and return fill the width, the rest is to the right of them. */
export function narrowColumns(columns: readonly CheckpointColumn[]): CheckpointColumn[] {
  const of = (id: string) => columns.find((column) => column.id === id)!;
  const rest = columns.filter(({ id }) => !["name", "score"].includes(id));
  return [{ ...of("name"), width: NARROW_NAME }, { ...of("score"), width: "7.5rem" }, ...rest];
}

/** What the checkbox, the return, the menu and the margins leave of the window. */
const NARROW_NAME = "max(9rem, calc(100vw - 15.5rem))";

function NameCell({ item }: { item: CheckpointItem }) {
  const name = checkpointName(item);
  return (
    <div className="min-w-0">
      {/* A plain link: the router's own is slow enough to drop frames while scrolling. The table handles clicks on it. */}
      <a
        href={`/models/${item.id}`}
        data-checkpoint={item.id}
        title={name}
        aria-label={name}
        className="ring-inside block truncate rounded-sm leading-tight font-medium hover:underline"
      >
        {item.run_name}
      </a>
      {/* A badge that has no room goes to a second line, which is not shown: no badge is cut. */}
      <p className="mt-0.5 flex h-5 flex-wrap items-center gap-x-1.5 gap-y-2 overflow-hidden text-2xs leading-tight text-ink-3">
        <span className="figures sm:hidden">{placeText(item)}</span>
        <span className="max-sm:hidden">{item.runner}</span>
        {rolesOf(item).map((role) => (
          <Badge key={role} tone={role === "best" ? "strong" : "plain"}>
            {role}
          </Badge>
        ))}
        {item.pinned && <Badge title="Never removed automatically">pinned</Badge>}
        {item.note && (
          <span title={item.note} className="inline-flex">
            <Icon name="note" size={11} />
            <span className="sr-only">{`Note: ${item.note}`}</span>
          </span>
        )}
      </p>
    </div>
  );
}

function ScoreCell({ item: { score } }: { item: CheckpointItem }) {
  return (
    <div title={scoreHelp(score)} className="leading-tight">
      <p className="text-sm">{score ? formatNumber(score.mean, 4) : NOTHING}</p>
      {score && (
        <p className="mt-0.5 truncate text-2xs text-ink-3">
          <span className="max-sm:hidden">{protocolText(score)}</span>
          <span className="sm:hidden">{shortProtocol(score)}</span>
        </p>
      )}
    </div>
  );
}

function NamesCell({ item }: { item: CheckpointItem }) {
  return (
    <span className="flex gap-1 overflow-hidden">
      {item.models.map(({ name, version, labels }) => (
        <Badge key={`${name} ${version}`} tone={labels.length > 0 ? "good" : "plain"}>
          {[versionName(name, version), ...labels].join(" · ")}
        </Badge>
      ))}
      {item.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}

function HashCell({ item }: { item: CheckpointItem }) {
  if (!item.sha256) return NOTHING;
  return (
    <button
      type="button"
      data-hash={item.sha256}
      title="Copy the whole SHA-256"
      aria-label={`Copy the hash ${shortHash(item.sha256)} of ${checkpointName(item)}`}
      className="figures ring-inside inline-flex items-center gap-1 rounded-sm px-1 text-xs text-ink-2 hover:bg-sunken hover:text-ink"
    >
      {shortHash(item.sha256)}
      <Icon name="copy" size={11} />
    </button>
  );
}
