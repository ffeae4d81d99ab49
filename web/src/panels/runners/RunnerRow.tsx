/** One runner: whether it is ready and why not, where its scripts are, its algorithms and capabilities. */
import { Link } from "@tanstack/react-router";
import type { Runner } from "@/api/types";
import { capabilityWords } from "@/entities/runners/capabilities";
import { openScriptDialog } from "@/panels/script-dialog/dialogs";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { TextWithCode } from "@/ui/states";
import { Installation } from "./Installation";
import { RootField } from "./RootField";

export function RunnerRow({ runner }: { runner: Runner }) {
  return (
    <section aria-label={runner.name} className="flex flex-col gap-2 bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-medium">{runner.name}</h3>
        <Badge>{runner.id}</Badge>
        <Badge tone={runner.ready ? "good" : "plain"}>{runner.ready ? "ready" : "not ready"}</Badge>
      </div>
      <p className="text-sm text-ink-2">{runner.description}</p>
      {runner.problems.map((problem) => (
        <p key={problem.module} className="text-sm text-ink-2">
          {problem.is_met === null && `${problem.module} is missing. `}
          <TextWithCode text={problem.remedy} />
        </p>
      ))}
      {runner.notes.map((note) => (
        <p key={note} className="text-xs text-ink-3">
          {note}
        </p>
      ))}
      {runner.root_setting && <RootField runner={runner} />}
      <Installation runner={runner} />
      {runner.capabilities.own_environment ? (
        <Button small icon="play" className="self-start" onClick={() => openScriptDialog()}>
          Run a script
        </Button>
      ) : (
        <Algorithms runner={runner} />
      )}
      <p className="text-xs text-ink-3">{capabilityWords(runner)}</p>
    </section>
  );
}

function Algorithms({ runner }: { runner: Runner }) {
  return (
    <div className="flex flex-wrap gap-1.5">
      {runner.algorithms.map((algorithm) => (
        <Link
          key={algorithm.id}
          to="/"
          search={{ algorithm: `${runner.id}/${algorithm.id}` }}
          title={algorithm.description}
          className="figures inline-flex min-h-6 items-center rounded-sm border px-2 text-xs hover:border-line-strong hover:bg-sunken"
        >
          {algorithm.name}
        </Link>
      ))}
    </div>
  );
}
