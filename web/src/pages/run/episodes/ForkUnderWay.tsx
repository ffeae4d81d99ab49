/** A fork that cannot be replayed yet: its progress, or why it never can. */
import type { Forked } from "@/entities/episodes/use-fork";
import { RunReason } from "@/entities/runs/RunReason";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { Progress } from "@/ui/Progress";
import { EmptyState, ErrorState, Loading } from "@/ui/states";

export function ForkUnderWay({ forked }: { forked: Forked }) {
  const { fork, isDone, episode } = forked;
  if (fork.isError) return <ErrorState error={fork.error} onRetry={() => void fork.refetch()} />;
  if (episode.isError) return <ErrorState error={episode.error} onRetry={() => void episode.refetch()} />;
  if (!fork.data || (isDone && episode.isPending)) return <Loading />;
  if (isDone)
    return <EmptyState title="Nothing recorded">The fork ended without an episode to replay.</EmptyState>;
  return (
    <div className="flex w-full flex-col gap-3">
      <StatusBadge status={fork.data.status} />
      <Progress label="Fork" fraction={null} />
      <p className="text-sm text-ink-2">
        The episode is replayed up to the fork and then continues differently.
      </p>
      <RunReason run={fork.data} />
    </div>
  );
}
