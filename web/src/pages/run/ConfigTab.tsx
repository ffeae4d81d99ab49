/** A run's settings next to those of its preset, or next to the defaults. */
import { useQuery } from "@tanstack/react-query";
import type { Run, TrainConfig } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { baseOf } from "@/entities/runs/form-link";
import { commandOf, trainConfigOf } from "@/entities/runs/words";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import type { Config } from "@/panels/config-diff/diff";
import { fieldsOf, type Schema } from "@/schema-form/fields";
import { changesFrom } from "@/schema-form/values";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import type { TabProps } from "./tab";

export default function ConfigTab({ run, search, onSearch }: TabProps) {
  const runners = useQuery(runnersQuery);
  if (runners.isPending) return <Loading lines={8} />;
  if (runners.isError) return <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />;
  const base = baseOf(run, runners.data);
  const options = runners.data.find(({ id }) => id === trainConfigOf(run)?.runner)?.options_schema ?? {};
  const changed = base ? changesFrom(base.params, paramsOf(run)) : paramsOf(run);
  const command = commandOf(run, changed, options, base?.preset?.total_timesteps);
  const reported = reportedBy(run);
  const columns = [
    { id: "run", title: "This run", config: paramsOf(run) },
    ...(base ? [{ id: "base", title: base.title, config: base.params }] : []),
  ];
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[2fr_1fr]">
      <div className="flex min-w-0 flex-col gap-4">
        {reported && (
          <Panel title="Arguments reported by the script" flush>
            <ConfigDiff
              label="Arguments reported by the script"
              columns={[{ id: "reported", title: "Reported", config: reported }]}
              showsAll
            />
          </Panel>
        )}
        <Panel title={base ? `Parameters compared with ${base.title}` : "Parameters"} flush>
          <ConfigDiff
            label="Parameters"
            columns={columns}
            labels={base?.labels}
            showsAll={search.all ?? !base}
            onShowAll={(all) => onSearch({ all })}
          />
        </Panel>
      </div>
      <div className="flex flex-col gap-4">
        <Panel title="Run" flush>
          <Facts facts={factsOf(run, options)} />
        </Panel>
        {command && (
          <Panel
            title="Command"
            actions={
              <Button
                small
                kind="quiet"
                icon="link"
                onClick={() => void copyText(command, "Command copied.")}
              >
                Copy
              </Button>
            }
          >
            <pre tabIndex={0} className="figures overflow-x-auto text-xs break-words whitespace-pre-wrap">
              {command}
            </pre>
          </Panel>
        )}
      </div>
    </div>
  );
}

function Facts({ facts }: { facts: [string, string][] }) {
  return (
    <dl className="text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 border-b px-4 py-1.5 last:border-0">
          <dt className="text-ink-2">{name}</dt>
          <dd className="figures min-w-0 text-right text-xs leading-5 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The arguments that a captured or adopted script reported; null when it reported none. */
function reportedBy(run: Run): Config | null {
  const args = trainConfigOf(run)?.args ?? {};
  return Object.keys(args).length > 0 ? args : null;
}

const paramsOf = (run: Run): Config =>
  trainConfigOf(run)?.params ?? (Object.fromEntries(Object.entries(run.config)) as Config);

function factsOf(run: Run, options: Schema): [string, string][] {
  const config = trainConfigOf(run);
  if (config === null) return [["Kind", run.kind]];
  return [
    ["Environment", config.env_id || "unknown"],
    ["Algorithm", config.algorithm],
    ["Runner", config.runner],
    ["Preset", config.preset ?? "none"],
    ...(config.length ? [["Length", config.length] as [string, string]] : []),
    ["Seed", config.seed === null ? "unknown" : String(config.seed)],
    [
      "Timesteps",
      config.total_timesteps ? config.total_timesteps.toLocaleString("en-GB") : "decided by the script",
    ],
    ...optionFacts(config, options),
    ["Attempt", String(run.attempt)],
  ];
}

function optionFacts(config: TrainConfig, options: Schema): [string, string][] {
  const values = new Map<string, unknown>(Object.entries(config));
  return fieldsOf(options).map(({ name, title }) => [title, wordOf(values.get(name))]);
}

function wordOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === null || value === undefined ? "default" : String(value);
}
