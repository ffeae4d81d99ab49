/** How to test: how many episodes, on which seeds, with which checkpoint. Loaded once there is something to test. */
import type { ReactNode } from "react";
import type { NewEvaluation } from "@/api/types";
import { choicesOf } from "@/entities/artifacts/checkpoints";
import { useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { TESTS, testOf } from "@/entities/evaluations/test-run";
import { Menu } from "@/ui/Menu";

/** The best, the newest and some before it; the list of checkpoints has all. */
const MOST_CHOICES = 8;

export interface TestMenuProps {
  runId: string | null;
  trigger: ReactNode;
  onTest: (wanted: NewEvaluation) => void;
}

export default function TestMenu({ runId, trigger, onTest }: TestMenuProps) {
  const choices = choicesOf(useCheckpoints(runId).list).slice(0, MOST_CHOICES);
  return (
    <Menu
      trigger={trigger}
      items={[
        ...TESTS.map(({ title, wanted }) => ({ title, run: () => onTest(wanted) })),
        ...choices.map(({ id, title, isBest }) => ({
          key: id,
          title: `5 episodes with: ${title}`,
          run: () => onTest(testOf(5, false, isBest ? null : id)),
        })),
      ]}
    />
  );
}
