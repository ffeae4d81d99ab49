/** Which reward of the user a training learns from: it opens in the Workbench, or as the run's copy where it is not saved. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { rewardOf } from "@/entities/codes/run-reward";
import { spellCode } from "@/entities/codes/words";
import { useSavedReward } from "./use-edit-reward";

const LOOK = "text-xs text-ink-2 underline underline-offset-4 hover:text-ink";

export function RewardLink({ run }: { run: Run }) {
  const reward = rewardOf(run);
  const { saved } = useSavedReward(run);
  if (!reward) return null;
  const title = `reward ${spellCode(reward)}`;
  if (!saved)
    return (
      <Link to="/runs/$runId" params={{ runId: run.id }} search={{ tab: "config" }} className={LOOK}>
        {title}
      </Link>
    );
  return (
    <Link
      to="/workbench"
      search={{ tab: "rewards", name: saved.name, version: saved.version, run: run.id }}
      className={LOOK}
    >
      {title}
    </Link>
  );
}
