/** A protocol to fill in. Other contents under a known name become a new version. */
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { ProblemError } from "@/api/problem";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { useSaveProtocol } from "@/entities/protocols/use-protocol-actions";
import { EnvironmentSelect } from "@/pages/workbench/rewards/EnvironmentSelect";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { DraftNote } from "@/panels/kept-draft/DraftNote";
import { useKeptDraft } from "@/panels/kept-draft/use-kept-draft";
import { nameProblem, problemsOf } from "@/panels/name-model/draft";
import { TextField } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";
import { LoadFailed, ProblemNote } from "@/ui/states";
import { ProtocolWrappers } from "./ProtocolWrappers";
import { type ProtocolDraft, problemsIn, requestOf } from "./protocol-draft";

export interface ProtocolFormProps {
  /** What it begins with, and how it is called: nightly@v2. */
  first: ProtocolDraft;
  title: string;
  /** A saved protocol keeps its name. */
  isNamed: boolean;
  onOpen: (next: WorkbenchSearch) => void;
}

export function ProtocolForm({ first, title, isNamed, onOpen }: ProtocolFormProps) {
  const { draft, isChanged, setDraft, drop } = useKeptDraft(`protocol.${title}`, first);
  const save = useSaveProtocol(({ name, version }) => {
    drop();
    onOpen({ protocol: name, version });
  });
  const seen = problemsIn(draft);
  const refused = problemsOf(save.error);
  const errors = save.error instanceof ProblemError ? save.error.fieldErrors() : {};
  const set =
    <Field extends keyof ProtocolDraft>(field: Field) =>
    (value: ProtocolDraft[Field]) =>
      setDraft({ ...draft, [field]: value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (Object.keys(seen).length === 0) save.mutate(requestOf(draft));
  };
  return (
    <form onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
      {!isNamed && (
        <TextField
          label="Name"
          value={draft.name}
          problem={nameProblem(draft.name) ?? refused.name}
          onChange={set("name")}
        />
      )}
      <EnvironmentSelect value={draft.envId} onChange={set("envId")} />
      <div className="grid gap-4 sm:grid-cols-3">
        {draft.seeds.trim() === "" && (
          <TextField
            label="Episodes"
            value={draft.episodes}
            problem={seen.episodes ?? refused.episodes}
            onChange={set("episodes")}
          />
        )}
        <TextField
          label="Seeds, one per episode"
          value={draft.seeds}
          placeholder="drawn"
          problem={seen.seeds ?? refused.seeds}
          onChange={set("seeds")}
        />
        <TextField
          label="Base seed"
          value={draft.baseSeed}
          problem={seen.baseSeed ?? refused.base_seed}
          onChange={set("baseSeed")}
        />
      </div>
      <SwitchRow
        title="Always the best action"
        checked={draft.deterministic}
        onChange={set("deterministic")}
      />
      <ProtocolWrappers wrappers={draft.wrappers} errors={errors} onChange={set("wrappers")} />
      <TextField
        label="Other arguments of the environment, in place of those of the run"
        value={draft.envKwargs}
        placeholder={'{"gravity": -8}'}
        problem={seen.envKwargs ?? (draft.wrappers ? undefined : refused.env_kwargs)}
        onChange={set("envKwargs")}
      />
      <CodeSelect value={draft.code} onChange={set("code")} />
      <Threshold draft={draft} problem={seen.threshold ?? refused.threshold} onChange={setDraft} />
      <TextField label="What it is for" value={draft.description} onChange={set("description")} />
      <DraftNote isChanged={isChanged} drop={drop} />
      <ProblemNote error={save.error} />
      <Button
        kind="primary"
        type="submit"
        className="self-start"
        disabled={save.isPending || draft.name.trim() === ""}
      >
        {isNamed ? "Save a version" : "Save"}
      </Button>
    </form>
  );
}

function CodeSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const codes = useQuery(codesQuery("evaluation"));
  const known = (codes.data ?? []).flatMap(({ versions }) => versions).map(spellCode);
  return (
    <div className="flex flex-col gap-1">
      <Select
        label="Evaluation code"
        value={value}
        options={[
          { value: "", title: "No evaluation code" },
          ...(value && !known.includes(value) ? [value, ...known] : known).map((one) => ({
            value: one,
            title: one,
          })),
        ]}
        onChange={onChange}
      />
      {codes.isError && (
        <LoadFailed what="evaluation code" error={codes.error} onRetry={() => void codes.refetch()} />
      )}
    </div>
  );
}

interface ThresholdProps {
  draft: ProtocolDraft;
  problem: string | undefined;
  onChange: (draft: ProtocolDraft) => void;
}

function Threshold({ draft, problem, onChange }: ThresholdProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <TextField
        label="Judged by"
        placeholder="return, or a number of the code"
        value={draft.judgedBy}
        onChange={(judgedBy) => onChange({ ...draft, judgedBy })}
      />
      <div className="pt-5">
        <Select
          label="Passes with"
          value={draft.passes}
          options={[
            { value: "at_least", title: "passes with at least" },
            { value: "at_most", title: "passes with at most" },
          ]}
          onChange={(passes) => onChange({ ...draft, passes })}
        />
      </div>
      <TextField
        label="Threshold"
        value={draft.threshold}
        placeholder="none"
        problem={problem}
        onChange={(threshold) => onChange({ ...draft, threshold })}
      />
    </div>
  );
}
