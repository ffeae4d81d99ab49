/** A run's settings next to those of its preset, or next to the defaults. */
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { runnersQuery } from "@/entities/runners/queries";
import { baseOf } from "@/entities/runs/form-link";
import { runCommandQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";
import { ConfigDiff } from "@/panels/config-diff/ConfigDiff";
import { SnapshotPanel } from "@/panels/verification/SnapshotPanel";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { argumentsOf, type Fact, factsOf, parametersOf, readableNames } from "./config-facts";
import { RewardPanel } from "./rewards/RewardPanel";
import type { TabProps } from "./tab";

export default function ConfigTab({ run, search, onSearch }: TabProps) {
  const runners = useQuery(runnersQuery);
  const command = useQuery(runCommandQuery(run.id)).data?.command;
  if (runners.isPending) return <Loading lines={8} />;
  if (runners.isError) return <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />;
  const base = baseOf(run, runners.data);
  const options = runners.data.find(({ id }) => id === trainConfigOf(run)?.runner)?.options_schema ?? {};
  const reported = argumentsOf(run);
  const columns = [
    { id: "run", title: "This run", config: parametersOf(run) },
    ...(base
      ? [{ id: "base", title: <span className="sentence">{base.title}</span>, config: base.params }]
      : []),
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
        <RewardPanel run={run} />
        <Panel title={base ? `Parameters compared with ${base.title}` : "Parameters"} flush>
          <ConfigDiff
            label="Parameters"
            columns={columns}
            labels={base?.labels ?? readableNames(run)}
            showsAll={search.all ?? !base}
            onShowAll={(all) => onSearch({ all })}
          />
        </Panel>
      </div>
      <div className="flex flex-col gap-4">
        <Panel title="Run" flush>
          <Facts facts={factsOf(run, options)} />
        </Panel>
        <SnapshotPanel runId={run.id} />
        {command && (
          <Panel
            title="Command"
            actions={
              <Button
                small
                kind="quiet"
                icon="copy"
                onClick={() => void copyText(command, "Command copied.")}
              >
                Copy
              </Button>
            }
          >
            <pre tabIndex={0} className="figures overflow-x-auto text-xs break-words whitespace-pre-wrap">
              <Words of={command} />
            </pre>
          </Panel>
        )}
      </div>
    </div>
  );
}

/** Breaks only between words: `--runner` is not broken after its hyphens. */
function Words({ of }: { of: string }) {
  return of.split(" ").map((word, i) => (
    <Fragment key={i}>
      {i > 0 && " "}
      <span className="inline-block max-w-full">{word}</span>
    </Fragment>
  ));
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="text-sm">
      {facts.map(({ title, name, value }) => (
        <div key={name} className="flex justify-between gap-4 border-b px-4 py-1.5 last:border-0">
          <dt className="text-ink-2">
            {title} <span className="figures ml-1 text-xs text-ink-3">{name}</span>
          </dt>
          <dd className="figures min-w-0 shrink-0 max-w-[60%] text-right text-xs leading-5 break-words">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
