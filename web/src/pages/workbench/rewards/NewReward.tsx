/** What a new reward begins with: an example for the environment, or the environment's own reward. */
import { useQuery } from "@tanstack/react-query";
import type { CodeExample } from "@/api/types";
import { draftKey, keepDraft } from "@/entities/codes/drafts";
import { examplesQuery } from "@/entities/codes/queries";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { ExampleCard } from "@/panels/saved-code/ExampleCard";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";
import { EnvironmentSelect } from "./EnvironmentSelect";

export function NewReward({ envId, onOpen }: { envId: string; onOpen: (next: WorkbenchSearch) => void }) {
  const examples = useQuery(examplesQuery("reward", envId));
  const begin = ({ source, env_id }: CodeExample) =>
    keepDraft(draftKey("reward", null, null), { source, env_id: env_id || envId });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="quiet" icon="left" className="-ml-3" onClick={() => onOpen({})}>
          All rewards
        </Button>
        <h2 className="heading">New reward</h2>
        <div className="w-64 max-sm:w-full">
          <EnvironmentSelect
            value={envId}
            any="Examples for every environment"
            onChange={(env) => onOpen({ name: "new", env: env || undefined })}
          />
        </div>
      </div>
      {examples.isPending && <Loading lines={6} />}
      {examples.isError && <ErrorState error={examples.error} onRetry={() => void examples.refetch()} />}
      {examples.isSuccess && (
        <ul aria-label="Examples" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {examples.data.map((example) => (
            <ExampleCard
              key={example.title}
              example={example}
              badge={example.env_id || "any environment"}
              onBegin={() => begin(example)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
