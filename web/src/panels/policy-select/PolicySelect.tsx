/** The model that acts: the shown one on a button, which opens the list to choose another from. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { checkpointQuery } from "@/entities/checkpoints/queries";
import { placeText } from "@/entities/checkpoints/words";
import { runQuery } from "@/entities/runs/queries";
import { Icon } from "@/ui/icons";
import { Popover } from "@/ui/Popover";
import { actorTitle, type PolicyChoice, RANDOM } from "./actors";
import { PolicyList } from "./PolicyList";

export interface PolicySelectProps {
  /** Only its models are offered; undefined: those of all environments. */
  envId: string | undefined;
  policy: PolicyChoice | null;
  onChange: (policy: (PolicyChoice & { envId: string }) | null) => void;
}

export function PolicySelect({ envId, policy, onChange }: PolicySelectProps) {
  const [isOpen, setOpen] = useState(false);
  const title = useTitle(policy);
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden>Model</span>
      <Popover
        title="Choose a model"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            aria-label={`Model: ${title}`}
            className="flex h-9 w-full items-center gap-2 rounded-sm border border-line-strong bg-surface px-3 text-left hover:bg-sunken"
          >
            <span className="min-w-0 flex-1 truncate">{title}</span>
            <span className="text-ink-3">
              <Icon name="down" size={13} />
            </span>
          </button>
        }
      >
        <PolicyList
          envId={envId}
          policy={policy}
          onChoose={(item) => {
            setOpen(false);
            onChange(item && { runId: item.run_id, checkpoint: item.id, envId: item.env_id });
          }}
        />
      </Popover>
    </div>
  );
}

/** "lander v3, step 40,000", "lander, best". */
function useTitle(policy: PolicyChoice | null): string {
  const { runId = "", checkpoint = "" } = policy ?? {};
  const { data: item, isError } = useQuery({ ...checkpointQuery(checkpoint), enabled: checkpoint !== "" });
  const isRunShown = runId !== "" && (checkpoint === "" || isError);
  const run = useQuery({ ...runQuery(runId), enabled: isRunShown }).data;
  if (policy === null) return RANDOM;
  if (item) return `${actorTitle(item)}, ${placeText(item)}`;
  const name = run?.name ?? runId;
  return checkpoint === "" ? `${name}, best` : name;
}
