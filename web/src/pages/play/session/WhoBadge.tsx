/** Who chose the last action: a colour and a word. */
import type { PlayHeader } from "@/api/types";
import { cx } from "@/ui/cx";

export function WhoBadge({ header, isWatching }: { header: PlayHeader; isWatching: boolean }) {
  const { who, mode } = header;
  if (!who)
    return <Look className="bg-sunken text-ink-2">{mode === "agent" ? "Agent next" : "Nobody yet"}</Look>;
  if (who === "agent") return <Look className="bg-ink text-on-ink">Agent acts</Look>;
  return <Look className="bg-live text-on-ink">{isWatching ? "A person acts" : "You act"}</Look>;
}

const Look = ({ className, children }: { className: string; children: string }) => (
  <span className={cx("rounded-sm px-2 py-0.5 text-xs font-semibold whitespace-nowrap", className)}>
    {children}
  </span>
);
