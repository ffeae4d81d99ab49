/** The result of adopting a folder, also while it is still in progress. */
import { Link } from "@tanstack/react-router";
import type { AdoptResult } from "@/api/types";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { KNOWN_FORMATS } from "./dialog";

export function AdoptionOutcome({ result, onDone }: { result: AdoptResult; onDone: () => void }) {
  const counts = [
    ["Adopted", result.adopted],
    ["Updated", result.updated],
    ["Unchanged", result.unchanged],
    ["Files checked", result.looked_at],
  ] as const;
  return (
    <div className="flex flex-col gap-4 p-5">
      <p role="status" className="text-sm">
        {result.is_done ? `Done with ${result.folder}.` : `Searching ${result.folder}…`}
      </p>
      <dl className="grid grid-cols-4 gap-3 max-sm:grid-cols-2">
        {counts.map(([title, count]) => (
          <div key={title} className="rounded-sm border px-3 py-2">
            <dt className="label text-ink-3">{title}</dt>
            <dd className="figures text-lg">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      {result.is_done && result.adopted + result.updated + result.unchanged === 0 && (
        <p className="text-sm text-warn">
          The lab found no known format in this folder. It reads {KNOWN_FORMATS} folders.
        </p>
      )}
      <Lines label="Folders that were joined" lines={result.joined} className="max-h-40 text-ink-2" />
      <Lines label="Files that could not be read" lines={result.problems} className="max-h-56 text-warn" />
      <div className="flex justify-end gap-3 border-t pt-4">
        <Link
          to="/runs"
          search={{ tag: "adopted" }}
          onClick={onDone}
          className="label inline-flex h-9 items-center rounded-sm border border-line-strong px-4 hover:bg-sunken"
        >
          Show adopted runs
        </Link>
        <Button kind="primary" onClick={onDone}>
          {result.is_done ? "Done" : "Continue in the background"}
        </Button>
      </div>
    </div>
  );
}

/** A list that scrolls; nothing when it is empty. */
function Lines({ label, lines, className }: { label: string; lines: readonly string[]; className: string }) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={label} className={cx("overflow-y-auto rounded-sm border p-3 text-xs", className)}>
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}
