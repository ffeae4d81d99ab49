import type { Environment } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";

export interface EnvironmentCardProps {
  environment: Environment;
  isSelected: boolean;
  onSelect: () => void;
}

export function EnvironmentCard({ environment, isSelected, onSelect }: EnvironmentCardProps) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className={cx(
        "flex w-full min-w-0 flex-col gap-1.5 rounded-md border bg-surface px-3 py-2.5 text-left transition-colors hover:border-line-strong",
        isSelected && "border-ink shadow-[inset_2px_0_0_var(--ink)] hover:border-ink",
      )}
    >
      <span className="truncate text-sm font-medium">{environment.name}</span>
      <span className="figures truncate text-2xs text-ink-3">{environment.id}</span>
      <span className="flex flex-wrap gap-1.5">
        <Badge>{environment.action_space_type.toUpperCase()}</Badge>
        <Badge>{environment.obs_space}</Badge>
        {environment.problem && <Badge tone="warn">not installed</Badge>}
      </span>
    </button>
  );
}

/** Environments whose name, id or family holds every typed word. */
export function filterEnvironments(environments: readonly Environment[], query: string): Environment[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return environments.filter((e) =>
    words.every((word) => `${e.name} ${e.id} ${e.family}`.toLowerCase().includes(word)),
  );
}
