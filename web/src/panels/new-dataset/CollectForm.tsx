/** A dataset that policies collect: each with its share, noise and way to act. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { runQuery } from "@/entities/runs/queries";
import { trainConfigOf } from "@/entities/runs/words";
import { formatPlural } from "@/lib/format";
import { BEST, CheckpointSelect } from "@/panels/job-form/CheckpointSelect";
import { TextField } from "@/panels/text-field/TextField";
import { Button, IconButton } from "@/ui/Button";
import { SwitchRow } from "@/ui/SwitchRow";
import {
  type CollectDraft,
  collectDraft,
  collectOperation,
  NEW_POLICY,
  type PolicyDraft,
  shareCounts,
  suggestName,
  whyNoCollection,
  whyNoName,
} from "./draft";
import type { WayProps } from "./EpisodesForm";
import { EnvironmentField, MadeFields } from "./fields";
import { JobForm } from "./JobForm";
import { numberProblem } from "./numbers";
import { RunPicker } from "./RunPicker";

export function CollectForm({ onCancel, onStarted }: WayProps) {
  const [draft, setDraft] = useState(collectDraft);
  const change = (part: Partial<CollectDraft>) => setDraft((before) => ({ ...before, ...part }));
  const changePolicy = (index: number, part: Partial<PolicyDraft>) =>
    change({ policies: draft.policies.map((one, i) => (i === index ? { ...one, ...part } : one)) });
  const notYet = whyNoCollection(draft);
  const counts = shareCounts(draft);
  const isRandom = draft.policies.every(({ runId }) => runId === "");
  return (
    <JobForm
      operation={notYet ? null : collectOperation(draft)}
      reason={notYet ?? whyNoName(draft.name)}
      submit="Collect"
      hasForecast
      onCancel={onCancel}
      onStarted={onStarted}
    >
      {(problems) => (
        <>
          <ul aria-label="Policies" className="flex flex-col gap-3">
            {draft.policies.map((policy, i) => (
              <li key={i} className="flex flex-col gap-3 rounded-sm border p-3">
                <PolicyFields
                  policy={policy}
                  place={i}
                  episodes={counts[i] ?? 0}
                  problems={problems}
                  onChange={(part) => changePolicy(i, part)}
                  onRemove={
                    draft.policies.length > 1
                      ? () => change({ policies: draft.policies.filter((_, at) => at !== i) })
                      : null
                  }
                />
              </li>
            ))}
          </ul>
          <Button
            small
            icon="plus"
            className="self-start"
            onClick={() => change({ policies: [...draft.policies, NEW_POLICY] })}
          >
            Add a policy
          </Button>
          <div className="grid gap-4 sm:grid-cols-3">
            <EnvironmentField
              value={draft.envId}
              placeholder={isRandom ? "CartPole-v1" : "that of the first policy"}
              problem={problems.env_id}
              onChange={(envId) => change({ envId })}
            />
            <TextField
              label="Episodes"
              value={draft.episodes}
              problem={numberProblem(draft.episodes, "count") ?? problems.episodes}
              onChange={(episodes) => change({ episodes })}
            />
            <TextField
              label="First seed"
              value={draft.seed}
              problem={problems.seed}
              onChange={(seed) => change({ seed: seed.replace(/\D/g, "") })}
            />
          </div>
          <MadeFields
            draft={draft}
            placeholder={suggestName(draft.envId)}
            problems={problems}
            onChange={change}
          />
        </>
      )}
    </JobForm>
  );
}

interface PolicyFieldsProps {
  policy: PolicyDraft;
  place: number;
  episodes: number;
  problems: Record<string, string>;
  onChange: (part: Partial<PolicyDraft>) => void;
  onRemove: (() => void) | null;
}

function PolicyFields({ policy, place, episodes, problems, onChange, onRemove }: PolicyFieldsProps) {
  const [isPicking, setPicking] = useState(false);
  const run = useQuery({ ...runQuery(policy.runId), enabled: policy.runId !== "" }).data;
  const checkpoints = useCheckpoints(policy.runId || null);
  const problemOf = (field: string) => problems[`policies.${place}.${field}`];
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm font-medium">
          {policy.runId ? (run?.name ?? policy.runId) : "Random actions"}
        </span>
        <span className="figures text-xs text-ink-3">
          {[run && trainConfigOf(run)?.env_id, formatPlural(episodes, "episode")].filter(Boolean).join(" · ")}
        </span>
        <span className="ml-auto flex items-center gap-1">
          <Button small aria-expanded={isPicking} onClick={() => setPicking(!isPicking)}>
            Choose a run
          </Button>
          {policy.runId && (
            <Button small kind="quiet" onClick={() => onChange({ runId: "", checkpoint: "" })}>
              Random instead
            </Button>
          )}
          {onRemove && <IconButton icon="close" label="Remove this policy" onClick={onRemove} />}
        </span>
      </div>
      {isPicking && (
        <RunPicker
          label="Find a training"
          kind="train"
          onPick={({ id }) => {
            onChange({ runId: id, checkpoint: "" });
            setPicking(false);
          }}
        />
      )}
      {(problemOf("run_id") ?? problemOf("checkpoint")) && (
        <p role="alert" className="text-xs text-warn">
          {problemOf("run_id") ?? problemOf("checkpoint")}
        </p>
      )}
      {policy.runId && (
        <CheckpointSelect
          label="Checkpoint"
          checkpoints={checkpoints}
          value={policy.checkpoint || BEST}
          onChange={(id) => onChange({ checkpoint: id === BEST ? "" : id })}
        />
      )}
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Share"
          value={policy.share}
          problem={numberProblem(policy.share) ?? problemOf("share")}
          onChange={(share) => onChange({ share })}
        />
        {policy.runId && (
          <TextField
            label="Noise, from 0 to 1"
            value={policy.noise}
            problem={numberProblem(policy.noise, "share") ?? problemOf("noise")}
            onChange={(noise) => onChange({ noise })}
          />
        )}
      </div>
      {policy.runId && (
        <SwitchRow
          title="Always the best action"
          checked={policy.deterministic}
          onChange={(deterministic) => onChange({ deterministic })}
        />
      )}
    </>
  );
}
