/** How well a script is isolated from the rest of the machine. */
import type { Run } from "@/api/types";
import { Badge } from "@/ui/Badge";

const WORDS = { confined: "confined", partly: "partly isolated", none: "not isolated" } as const;

export function IsolationBadge({ isolation }: { isolation: NonNullable<Run["isolation"]> }) {
  return <Badge tone={isolation === "confined" ? "good" : "warn"}>{WORDS[isolation]}</Badge>;
}
