/** REWARD HISTORY: the last hundred episodes as bars; a bar opens its episode. */
import { RewardBars } from "@/charts/RewardBars";
import { episodeTitle } from "@/entities/episodes/episode-title";
import { LAST } from "@/entities/episodes/reward-history";
import { useRewardHistory } from "@/entities/episodes/use-reward-history";
import { formatNumber } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { ErrorState } from "@/ui/states";

export interface RewardHistoryProps {
  runId: string | null;
  /** Whose episodes these are, next to the title. */
  whose?: string;
  /** The reward at which the environment counts as solved. */
  threshold?: number | null;
  onOpen: (episode: number) => void;
}

export function RewardHistory({ runId, whose, threshold = null, onOpen }: RewardHistoryProps) {
  const { bars, error, retry } = useRewardHistory(runId);
  const rewards = bars.map((bar) => bar.reward).filter((r): r is number => r !== null);
  return (
    <Panel
      title={`Reward history (last ${LAST})`}
      caps
      aside={whose && <span className="figures text-2xs text-ink-3">{whose}</span>}
      actions={
        rewards.length > 0 && (
          <span className="figures text-2xs text-ink-3">
            {`${formatNumber(Math.min(...rewards))} … ${formatNumber(Math.max(...rewards))}`}
            {threshold !== null && `, solved at ${formatNumber(threshold)}`}
          </span>
        )
      }
      data-tour="history"
      className="shrink-0"
    >
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <RewardBars
          bars={bars}
          slots={LAST}
          height={96}
          threshold={threshold}
          titleOf={episodeTitle}
          onOpen={bars.length > 0 ? onOpen : undefined}
        />
      )}
    </Panel>
  );
}
