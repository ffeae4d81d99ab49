/** Facts of a version, where its episodes come from, and what was left out on the way. */
import { Link } from "@tanstack/react-router";
import type { DatasetVersion, EpisodeSource } from "@/api/types";
import { shortHash } from "@/entities/checkpoints/words";
import { LearnersLink } from "@/entities/datasets/LearnersLink";
import { formatPlural } from "@/lib/format";
import { Button } from "@/ui/Button";
import { copyText } from "@/ui/clipboard";
import { Panel } from "@/ui/Panel";
import { TextWithCode } from "@/ui/states";
import { type Fact, factsOf } from "./facts";

export function FactsPanel({ version }: { version: DatasetVersion }) {
  return (
    <Panel
      title="Facts"
      flush
      actions={
        <Button
          small
          kind="quiet"
          icon="copy"
          title="Copy the content hash: equal contents have equal hashes"
          onClick={() => void copyText(version.sha256, "Hash copied.")}
        >
          <span className="sr-only">Copy the content hash </span>
          {shortHash(version.sha256)}
        </Button>
      }
    >
      <FactRows facts={factsOf(version)} />
      <Sources version={version} />
      {version.notes.length > 0 && (
        <ul aria-label="Notes of the job" className="flex flex-col gap-1 border-t px-4 py-2.5">
          {version.notes.map((note) => (
            <li key={note} className="text-xs text-ink-2">
              <TextWithCode text={note} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function FactRows({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="text-sm">
      {facts.map(({ title, value, help, learners }) => (
        <div
          key={title}
          title={help}
          className="flex justify-between gap-4 border-b px-4 py-1.5 last:border-0"
        >
          <dt className="shrink-0 text-ink-2">{title}</dt>
          <dd className="figures min-w-0 text-right text-xs leading-5 break-words">
            {learners ? <LearnersLink sha256={learners}>{value}</LearnersLink> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const MOST_SOURCES = 8;

function Sources({ version }: { version: DatasetVersion }) {
  const sources = version.sources;
  const more = sources.length - MOST_SOURCES;
  return (
    <div className="border-t px-4 py-2.5 text-sm">
      <h3 className="text-ink-2">Episodes come from</h3>
      <ul className="mt-1 flex flex-col gap-0.5 text-xs leading-6">
        {sources.slice(0, MOST_SOURCES).map((source, i) => (
          <li key={`${source.label} ${i}`} className="min-w-0 break-words">
            <SourceName source={source} />
          </li>
        ))}
        {more > 0 && <li className="text-ink-3">{`and ${formatPlural(more, "more source")}`}</li>}
        {sources.length === 0 && <li className="text-ink-3">not recorded</li>}
        {version.run_id && (
          <li>
            <Link
              to="/runs/$runId"
              params={{ runId: version.run_id }}
              className="text-ink-2 underline underline-offset-2 hover:text-ink"
            >
              The job that made it
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}

const KINDS: Record<EpisodeSource["kind"], string> = { run: "run", policy: "policy of", file: "file" };

function SourceName({ source }: { source: EpisodeSource }) {
  const { kind, label, run_id: runId, checkpoint } = source;
  return (
    <>
      <span className="text-ink-3">{`${KINDS[kind]} `}</span>
      {runId ? (
        <Link to="/runs/$runId" params={{ runId }} className="underline underline-offset-2 hover:text-ink">
          {label}
        </Link>
      ) : (
        label
      )}
      {checkpoint && (
        <>
          {" "}
          <Link
            to="/models/$checkpointId"
            params={{ checkpointId: checkpoint }}
            className="text-ink-2 underline underline-offset-2 hover:text-ink"
          >
            checkpoint
          </Link>
        </>
      )}
    </>
  );
}
