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
  /** The only card that Tab reaches; arrow keys reach the others. */
  isTabStop: boolean;
  /** Picture above the text instead of next to it. */
  tall?: boolean;
}

export function EnvironmentCard({
  environment,
  isSelected,
  onSelect,
  onPreview,
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
        className={cx("flex w-full min-w-0 gap-2.5 rounded-md p-2 text-left", tall && "flex-col")}
      >
        <Thumbnail
          key={environment.id}
          envId={environment.id}
          className={tall ? "aspect-3/2 w-full" : "h-14 w-16"}
        />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className={cx("truncate text-sm leading-5 font-medium", onPreview && !tall && "pr-7")}>
            {environment.name}
          </span>
          <span className="figures truncate text-2xs leading-4 text-ink-3">{environment.id}</span>
          <span className="mt-1 flex flex-wrap gap-1">
            <Badge>{environment.action_space_type.toUpperCase()}</Badge>
            <Badge>{environment.obs_space}</Badge>
            {environment.problem && <Badge tone="warn">NOT INSTALLED</Badge>}
          </span>
        </span>
      </button>
      {onPreview && !environment.problem && (
        <IconButton
          icon="play"
          label={`Preview ${environment.name}`}
          tabIndex={isTabStop ? 0 : -1}
          onClick={onPreview}
          className="absolute top-1 right-1 size-7!"
        />
      )}
    </div>
  );
}

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
