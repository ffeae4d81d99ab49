/** What a new reward begins with: an example for the environment, or the environment's own reward. */
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { NewCode } from "@/panels/saved-code/NewCode";
import { EnvironmentSelect } from "./EnvironmentSelect";

export function NewReward({ envId, onOpen }: { envId: string; onOpen: (next: WorkbenchSearch) => void }) {
  return (
    <NewCode
      kind="reward"
      title="New reward"
      all="All rewards"
      envId={envId}
      onBack={() => onOpen({})}
      aside={
        <div className="w-64 max-sm:w-full">
          <EnvironmentSelect
            value={envId}
            any="Examples for every environment"
            onChange={(env) => onOpen({ name: "new", env: env || undefined })}
          />
        </div>
      }
    />
  );
}
