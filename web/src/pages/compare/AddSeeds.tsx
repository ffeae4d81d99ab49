/** The button that trains the seeds that would settle a verdict; it asks first, because they may take long. */
import { useState } from "react";
import {
  type Lacking,
  type MoreSeeds,
  planMoreSeeds,
  runsOf,
  whyNoMoreSeeds,
} from "@/entities/comparisons/more-seeds";
import { useMoreSeeds } from "@/entities/comparisons/use-more-seeds";
import { isOver } from "@/entities/runs/status";
import { formatPlural } from "@/lib/format";
import type { Verdict } from "@/panels/verdict/verdict";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import type { Compared } from "./groups";

export interface AddSeedsProps {
  verdict: Verdict;
  /** The configurations of the verdict and of its reference. */
  groups: readonly [Compared, Compared];
  /** Whether their study has runs of them that are not compared yet. */
  hasMissing: boolean;
  onCreated: (runIds: string[]) => void;
}

export function AddSeeds({ verdict, groups, hasMissing, onCreated }: AddSeedsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const add = useMoreSeeds(onCreated);
  const lacking = lackingOf(verdict, groups);
  if (lacking.length === 0) return null;
  const plan = planMoreSeeds(lacking);
  const most = Math.max(...lacking.map((one) => one.count));
  const start = () => {
    setIsOpen(false);
    add.mutate(plan);
  };
  return (
    <>
      <Button
        small
        kind="primary"
        icon="plus"
        disabled={add.isPending}
        reason={whyNoMoreSeeds(plan) ?? whyNotYet(groups, hasMissing)}
        onClick={() => setIsOpen(true)}
      >
        {`Add ${formatPlural(most, "seed")}`}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={`Train ${formatPlural(runsOf(plan), "more run")}?`}
      >
        <div className="flex flex-col gap-4 p-5 text-sm">
          <p>{whereText(plan)}</p>
          <ul className="list-disc pl-5 text-ink-2">
            {lacking.map(({ label, count }) => (
              <li key={label}>
                {`${label}: ${formatPlural(plan.kind === "study" ? plan.count : count, "more seed")}`}
              </li>
            ))}
          </ul>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button kind="primary" icon="plus" onClick={start}>
              {`Add ${formatPlural(runsOf(plan), "run")}`}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** Seeds that were added a moment ago are not added again. */
export function whyNotYet(groups: readonly Compared[], hasMissing: boolean): string | null {
  if (hasMissing) return "Their study has more runs of these: compare them first.";
  return groups.every((one) => one.runs.every(isOver)) ? null : "Runs of these are still to end.";
}

/** The configurations that have fewer seeds than would settle it. */
export function lackingOf(
  { group, reference, seeds, seeds_needed }: Verdict,
  groups: readonly [Compared, Compared],
): (Lacking & { label: string })[] {
  return groups
    .map(({ runs }, i) => ({
      label: i === 0 ? group : reference,
      runs,
      count: (seeds_needed ?? 0) - (seeds[i] ?? 0),
    }))
    .filter(({ count }) => count > 0);
}

const whereText = (plan: MoreSeeds): string =>
  plan.kind === "study"
    ? "The study of these runs trains them, with the same settings and fresh seeds."
    : "New runs with the same settings and fresh seeds, at the end of the queue. They join this comparison.";
