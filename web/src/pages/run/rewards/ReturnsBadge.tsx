/** That the returns of a run are what code of the user reports, with the reason. */
import { Badge } from "@/ui/Badge";
import { HelpTip } from "@/ui/HelpTip";

/** Nothing for a run whose returns the lab measures itself. */
export function ReturnsBadge({ note }: { note: string }) {
  if (!note) return null;
  return (
    <span className="inline-flex items-center">
      <Badge tone="warn">returns not checked</Badge>
      <HelpTip label="Why the returns are not checked">{note}</HelpTip>
    </span>
  );
}
