/** What the newest certificate of exact resume says about a run. */
import type { Run } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { exactResumeOf } from "./words";

export function ExactResumeBadge({ run }: { run: Run }) {
  const found = exactResumeOf(run);
  if (!found) return null;
  return (
    <Badge tone={found.tone} title="A training that was broken and resumed, next to an unbroken one">
      {found.word}
    </Badge>
  );
}
