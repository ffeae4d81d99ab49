/** A short fact in a frame: DISCRETE, BOX(8), an id. */
import type { ReactNode } from "react";
import { cx } from "./cx";

type Tone = "plain" | "good" | "warn" | "strong";
const LOOK: Record<Tone, string> = {
  plain: "border-line text-ink-2 bg-transparent",
  good: "border-transparent text-good bg-good-soft",
  warn: "border-transparent text-warn bg-warn-soft",
  strong: "border-ink text-on-ink bg-ink",
};

export function Badge({
  tone = "plain",
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={cx(
        "figures inline-flex items-center gap-1 rounded-sm border px-1.5 py-px text-2xs leading-4 whitespace-nowrap",
        LOOK[tone],
      )}
    >
      {children}
    </span>
  );
}
