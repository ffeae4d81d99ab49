/** What the training learns from: the environment's reward, or one that was written in the Workbench. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { codesQuery, rewardCheckQuery } from "@/entities/codes/queries";
import { readSpelledCode, spellCode } from "@/entities/codes/words";
import type { TrainingFormProps } from "@/pages/lab/configure/form-props";
import { JUDGE_BY, rewardQuestionOf } from "@/pages/lab/draft/draft";
import { Select } from "@/ui/Select";
import { LoadFailed } from "@/ui/states";
import { CodeLink } from "./CodeLink";
import { offeredRewards } from "./offered";
import { RewardCheck } from "./RewardCheck";

const LABEL = "Reward";
const JUDGE = "Return used for best and solved";
const LINK = "text-xs text-ink-2 underline underline-offset-4 hover:text-ink";

export default function RewardChoice({ state, draft, errors }: TrainingFormProps) {
  const id = useId();
  const codes = useQuery(codesQuery("reward", draft.envId));
  const offered = offeredRewards(codes.data ?? [], draft.reward);
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <label htmlFor={id}>{LABEL}</label>
      <Select
        id={id}
        label={LABEL}
        value={draft.reward}
        options={[{ value: "", title: "the environment’s own" }, ...offered]}
        invalid={errors.reward !== undefined}
        onChange={state.setReward}
      />
      {errors.reward && (
        <p role="alert" className="text-xs text-warn">
          {errors.reward.message}
        </p>
      )}
      {codes.isError && (
        <LoadFailed what="saved rewards" error={codes.error} onRetry={() => void codes.refetch()} />
      )}
      {draft.reward ? (
        <Chosen state={state} draft={draft} errors={errors} />
      ) : (
        <Link
          to="/workbench"
          search={{ tab: "rewards", name: "new", env: draft.envId }}
          className={`self-start ${LINK}`}
        >
          Write your own
        </Link>
      )}
    </div>
  );
}

function Chosen({ state, draft }: TrainingFormProps) {
  const { name, version } = readSpelledCode(draft.reward);
  return (
    <>
      <RewardCheck query={rewardCheckQuery(rewardQuestionOf(draft))} />
      <span aria-hidden="true" className="mt-2">
        {JUDGE}
      </span>
      <Select
        label={JUDGE}
        value={String(draft.options[JUDGE_BY] ?? "environment")}
        options={[
          { value: "environment", title: "the environment’s return" },
          { value: "reward", title: `the return under ${spellCode({ name, version })}` },
        ]}
        onChange={(judge) => state.setOptions({ [JUDGE_BY]: judge })}
      />
      <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
        Both returns are charted.
        <CodeLink chosen={draft.reward} className={LINK} />
      </p>
    </>
  );
}
