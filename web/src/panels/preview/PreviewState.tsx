/** Reward, return and step of an environment that is shown, and its state after the last step. */
import type { FrameHeader } from "@/api/types";
import { formatNumber, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";
import { type SpaceNames, stateLines } from "./state";

export interface PreviewStateProps {
  header: FrameHeader | null;
  names: SpaceNames | undefined;
}

export function PreviewState({ header, names }: PreviewStateProps) {
  const lines = header ? stateLines(header, names) : [];
  const facts = [
    ["Reward", header ? formatSigned(header.reward) : "–"],
    ["Return", header ? formatSigned(header.return) : "–"],
    ["Step", header ? formatNumber(header.step) : "–"],
    ["Ended", header?.ended ? "yes" : "no"],
  ] as const;
  return (
    <div className="border-t text-xs">
      <dl className="grid grid-cols-4 divide-x border-b">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0 px-4 py-2">
            <dt className="label text-ink-3">{name}</dt>
            <dd className="figures truncate text-sm">{value}</dd>
          </div>
        ))}
      </dl>
      <dl
        className="figures ring-inside min-h-32 max-h-40 overflow-y-auto px-4 py-2"
        tabIndex={0}
        aria-label="State of the environment"
      >
        {lines.map(([name, value], i) => (
          <div key={name} className={cx("flex gap-3", i > 0 && "mt-1")}>
            <dt className="w-44 shrink-0 text-ink-3">{name}</dt>
            <dd className="min-w-0 break-words whitespace-pre-wrap">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
