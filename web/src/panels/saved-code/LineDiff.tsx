/** Two versions of code: what was removed and what was added, with line numbers. */
import { useMemo, useState } from "react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { type DiffLine, folded, lineDiff } from "./line-diff";

const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const LOOKS = { same: "", added: "bg-good-soft", removed: "bg-warn-soft" } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: " } as const;

export function LineDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  const shown = isWhole ? lines : folded(lines);
  if (lines.every(({ kind }) => kind === "same"))
    return <p className="text-sm text-ink-2">Nothing differs.</p>;
  return (
    <div className="flex flex-col gap-2">
      <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-sm border">
        <ul className="min-w-max py-1 font-mono text-xs leading-5">
          {shown.map((line, i) => (line === null ? <Gap key={i} /> : <Line key={i} line={line} />))}
        </ul>
      </section>
      {(isWhole || shown.includes(null)) && (
        <Button small kind="quiet" className="self-start" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Only what differs" : "Show all lines"}
        </Button>
      )}
    </div>
  );
}

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return (
    <li className={cx("grid grid-cols-[2.5rem_2.5rem_1rem_auto] px-2 whitespace-pre", LOOKS[kind])}>
      <span aria-hidden="true" className="pr-2 text-right text-ink-3">
        {before}
      </span>
      <span aria-hidden="true" className="pr-2 text-right text-ink-3">
        {after}
      </span>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <code>
        <span className="sr-only">{WORDS[kind]}</span>
        {text}
      </code>
    </li>
  );
}

const Gap = () => (
  <li className="px-2 text-ink-3" aria-label="unchanged lines">
    ⋯
  </li>
);
