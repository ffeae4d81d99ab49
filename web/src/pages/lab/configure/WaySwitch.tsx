/** The two ways into the lab: train a new agent, or use one that is already trained. */
import { cx } from "@/ui/cx";
import type { Way } from "./use-way";

const WAYS: readonly { way: Way; title: string }[] = [
  { way: "new", title: "Train new" },
  { way: "trained", title: "Use trained" },
];

export function WaySwitch({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  return (
    <div
      role="group"
      aria-label="Train a new agent or use a trained one"
      className="flex shrink-0 rounded-md border border-line-strong bg-sunken p-0.5"
    >
      {WAYS.map((one) => (
        <button
          key={one.way}
          type="button"
          aria-pressed={one.way === way}
          onClick={() => onChange(one.way)}
          className={cx(
            "h-8 flex-1 rounded-sm text-sm font-medium",
            one.way === way ? "bg-surface text-ink shadow-sm" : "text-ink-2 hover:text-ink",
          )}
        >
          {one.title}
        </button>
      ))}
    </div>
  );
}
