/** The model that acts: those of the environment first. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { checkpointsQuery } from "@/entities/checkpoints/queries";
import { Select } from "@/ui/Select";
import { actorOptions, NOBODY } from "./actors";

/** The newest checkpoints, with the environment of each. */
export function useActors() {
  const pages = useInfiniteQuery(checkpointsQuery({ sort: "created_at" })).data?.pages;
  return pages?.flatMap((page) => page.items) ?? [];
}

export interface PolicyChoice {
  runId: string;
  /** Absent: the run's best. */
  checkpoint?: string;
}

export interface PolicySelectProps {
  envId: string | undefined;
  policy: PolicyChoice | null;
  onChange: (policy: (PolicyChoice & { envId: string }) | null) => void;
}

export function PolicySelect({ envId, policy, onChange }: PolicySelectProps) {
  const items = useActors();
  const acting = items.find(({ id, run_id, role }) =>
    policy?.checkpoint ? id === policy.checkpoint : run_id === policy?.runId && role === "best",
  );
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden>Model</span>
      <Select
        label="Model"
        value={acting?.id ?? NOBODY}
        options={actorOptions(items, envId, acting?.id)}
        onChange={(id) => {
          const item = items.find((one) => one.id === id);
          onChange(item ? { runId: item.run_id, checkpoint: item.id, envId: item.env_id } : null);
        }}
      />
    </div>
  );
}
