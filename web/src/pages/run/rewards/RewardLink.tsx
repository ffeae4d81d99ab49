/** Which reward of the user a training learns from; it opens in the Workbench. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { rewardOf } from "@/entities/codes/run-reward";
import { spellCode } from "@/entities/codes/words";

export function RewardLink({ run }: { run: Run }) {
  const reward = rewardOf(run);
  if (!reward) return null;
  return (
    <Link
      to="/workbench"
      search={{ tab: "rewards", name: reward.name, version: reward.version ?? undefined, run: run.id }}
      className="text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
    >
      {`reward ${spellCode(reward)}`}
    </Link>
  );
}
