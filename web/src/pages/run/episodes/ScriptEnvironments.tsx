/** Which environments of a captured script are its training; the reader can choose otherwise. */
import { useQuery } from "@tanstack/react-query";
import type { Run, ScriptEnvironment } from "@/api/types";
import { environmentName, scriptEnvironmentsQuery } from "@/entities/script-environments/queries";
import { useChangeRole } from "@/entities/script-environments/use-roles";
import { formatCount } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { ErrorState } from "@/ui/states";

const ROLES = [
  { value: "training" as const, title: "Training" },
  { value: "evaluation" as const, title: "Evaluation" },
];

/** Nothing for runs that are not captured scripts. */
export function ScriptEnvironments({ run }: { run: Run }) {
  const { data: environments = [] } = useQuery(scriptEnvironmentsQuery(run.id));
  const change = useChangeRole(run.id);
  if (environments.length === 0) return null;
  return (
    <Panel title="Environments of the script" flush>
      <ul>
        {environments.map((environment) => (
          <Row
            key={environment.number}
            environment={environment}
            isBusy={change.isPending}
            onRole={(role) => change.mutate({ number: environment.number, role })}
          />
        ))}
      </ul>
      {change.isError && <ErrorState error={change.error} />}
    </Panel>
  );
}

interface RowProps {
  environment: ScriptEnvironment;
  isBusy: boolean;
  onRole: (role: ScriptEnvironment["role"]) => void;
}

function Row({ environment, isBusy, onRole }: RowProps) {
  const name = environmentName(environment);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2 text-sm last:border-b-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate" title={name}>
          <span className="figures text-ink-3">{environment.number}</span> {name}
        </p>
        <p className="text-2xs text-ink-3">
          {formatCount(environment.episodes)} episodes, {formatCount(environment.steps)} steps
          {environment.why && ` · ${environment.why}`}
        </p>
      </div>
      <fieldset disabled={isBusy} className="w-32 shrink-0">
        <Select
          label={`Role of environment ${environment.number}, ${name}`}
          value={environment.role}
          options={ROLES}
          onChange={onRole}
        />
      </fieldset>
    </li>
  );
}
