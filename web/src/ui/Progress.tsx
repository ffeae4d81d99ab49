import { formatPercent } from "@/lib/format";

/** `fraction` null: in progress, how far is unknown. */
export function Progress({ label, fraction }: { label: string; fraction: number | null }) {
  const percent = fraction === null ? undefined : Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={fraction === null ? "in progress" : formatPercent(fraction)}
      className="h-1 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div
        // Another element, so that the bar does not shrink from its full width when the fraction becomes known.
        key={percent === undefined ? "unknown" : "known"}
        className={`h-full rounded-full transition-[width] duration-300 ${percent === undefined ? "animate-pulse bg-ink-3" : "bg-ink"}`}
        style={{ width: `${percent ?? 100}%` }}
      />
    </div>
  );
}
