/** An environment as a card: picture, name, id, spaces; a click selects it, the arrow previews it. */
import type { Environment } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Thumbnail } from "./Thumbnail";

export interface EnvironmentCardProps {
  environment: Environment;
  isSelected: boolean;
  onSelect: () => void;
  /** Shows a random agent in it; the card has no preview button when absent. */
  onPreview?: () => void;
  /** Opens it on the page Play; no button when absent. */
  onPlay?: () => void;
  /** The only card that Tab reaches; arrow keys reach the others. */
  isTabStop: boolean;
  /** Picture above the text instead of one compact line. */
  tall?: boolean;
}

export function EnvironmentCard({
  environment,
  isSelected,
  onSelect,
  onPreview,
  onPlay,
  isTabStop,
  tall,
}: EnvironmentCardProps) {
  return (
    <div
      // Never both looks at once: a card under the mouse must look chosen the moment it is clicked.
      className={cx(
        "relative min-w-0 rounded-md border transition-colors",
        isSelected ? "border-ink bg-select" : "bg-surface hover:border-line-strong",
      )}
    >
      <button
        type="button"
        data-card
        tabIndex={isTabStop ? 0 : -1}
        aria-pressed={isSelected}
        onClick={onSelect}
        className={cx(
          "flex w-full min-w-0 rounded-md text-left",
          tall ? "flex-col gap-2.5 p-2" : "items-center gap-2.5 p-1",
        )}
      >
        <Thumbnail
          key={environment.id}
          envId={environment.id}
          isDrawn={environment.available}
          className={tall ? "aspect-3/2 w-full" : "h-9 w-12"}
        />
        {tall ? <Facts environment={environment} /> : <Line environment={environment} />}
      </button>
      {onPreview && !environment.problem && (
        <IconButton
          icon="play"
          label={`Preview ${environment.name}`}
          tabIndex={isTabStop ? 0 : -1}
          onClick={onPreview}
          className="absolute top-1 right-1 size-8!"
        />
      )}
      {onPlay && !environment.problem && (
        <IconButton
          icon="gamepad"
          label={`Play ${environment.name}`}
          tabIndex={isTabStop ? 0 : -1}
          onClick={onPlay}
          className={cx("absolute size-8!", tall ? "top-3 right-3 border bg-surface" : "top-1 right-9")}
        />
      )}
    </div>
  );
}

function Facts({ environment }: { environment: Environment }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <Name environment={environment} />
      <span className="figures truncate text-2xs leading-4 text-ink-3">{environment.id}</span>
      <span className="mt-1 flex flex-wrap gap-1">
        {environment.problem && <Badge tone="warn">NOT INSTALLED</Badge>}
        <Badge>{environment.action_space_type.toUpperCase()}</Badge>
        {environment.obs_space && <Badge>{environment.obs_space}</Badge>}
      </span>
    </span>
  );
}

/** Everything in two short lines, so that a column shows many environments. */
function Line({ environment }: { environment: Environment }) {
  const spaces = `${environment.action_space_type.toUpperCase()} ${environment.obs_space}`;
  return (
    <span className="flex min-w-0 flex-1 flex-col pr-16" title={environment.id}>
      <Name environment={environment} />
      <span className="figures truncate text-2xs leading-4 text-ink-3">
        {environment.problem ? "NOT INSTALLED" : spaces}
      </span>
    </span>
  );
}

const Name = ({ environment }: { environment: Environment }) => (
  <span className={cx("truncate text-sm leading-5 font-medium", environment.problem && "text-ink-3")}>
    {environment.name}
  </span>
);

/** Environments whose name, id or family contains every typed word. */
export function filterEnvironments(environments: readonly Environment[], query: string): Environment[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return environments.filter((e) =>
    words.every((word) => `${e.name} ${e.id} ${e.family}`.toLowerCase().includes(word)),
  );
}

/** By family, in the order of the catalogue. */
export function byFamily(environments: readonly Environment[]): [string, Environment[]][] {
  const families = new Map<string, Environment[]>();
  for (const e of environments) families.set(e.family, [...(families.get(e.family) ?? []), e]);
  return [...families];
}
