/** Which colour is which value. */
import { formatNumber } from "@/lib/format";
import { rampColour } from "./ramp";

export interface RampProps {
  title: string;
  low: number;
  high: number;
  isDark: boolean;
}

export function Ramp({ title, low, high, isDark }: RampProps) {
  const stops = [0, 0.33, 0.67, 1].map((share) => rampColour(share, isDark)).join(", ");
  return (
    <div className="figures flex flex-wrap items-center gap-2 text-2xs text-ink-2">
      <span>{title}</span>
      <span>{formatNumber(low)}</span>
      <span
        aria-hidden="true"
        className="h-2 w-28 rounded-full"
        style={{ background: `linear-gradient(to right, ${stops})` }}
      />
      <span>{formatNumber(high)}</span>
    </div>
  );
}
