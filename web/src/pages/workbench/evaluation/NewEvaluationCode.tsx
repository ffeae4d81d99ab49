/** What new evaluation code begins with: an example. */
import { useState } from "react";
import { EnvironmentSelect } from "@/pages/workbench/rewards/EnvironmentSelect";
import { NewCode } from "@/panels/saved-code/NewCode";

export function NewEvaluationCode({ onBack }: { onBack: () => void }) {
  const [envId, setEnvId] = useState("");
  return (
    <NewCode
      kind="evaluation"
      title="New evaluation code"
      all="All evaluation code"
      envId={envId}
      onBack={onBack}
      aside={
        <div className="w-64 max-sm:w-full">
          <EnvironmentSelect value={envId} any="Examples for every environment" onChange={setEnvId} />
        </div>
      }
    />
  );
}
