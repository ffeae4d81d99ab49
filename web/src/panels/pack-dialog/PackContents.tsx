/** What is inside a pack that was checked. */
import type { PackPreview } from "@/api/types";
import { formatBytes, formatCount } from "@/lib/format";

const MOST_SHOWN = 50;
const many = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

export function PackContents({ preview }: { preview: PackPreview }) {
  const { manifest, taken, problems } = preview;
  const packedAt = manifest.packed_at.slice(0, 10);
  return (
    <>
      <p className="text-sm text-ink-2">
        {`${many(manifest.runs.length, "run")}, packed ${packedAt} by RL Lab ${manifest.lab_version}. Every hash is right.`}
      </p>
      {(manifest.studies ?? []).map((study) => (
        <p
          key={study.id}
          className="text-sm"
        >{`Study “${study.name}”: ${many(study.variants ?? 0, "variant")}`}</p>
      ))}
      {(manifest.datasets ?? []).map(({ sha256, name, version, episodes, transitions, size }) => (
        <p key={sha256} className="text-sm">
          {`Dataset ${name}@v${version}: ${many(episodes, "episode")}, ${many(transitions, "step")}, ${formatBytes(size)}`}
        </p>
      ))}
      <ul aria-label="Runs in the pack" className="flex max-h-56 flex-col gap-1 overflow-y-auto text-sm">
        {manifest.runs.slice(0, MOST_SHOWN).map((run) => (
          <li key={run.id} className="flex gap-3">
            <span className="min-w-0 flex-1 truncate">{run.name}</span>
            <span className="figures text-xs text-ink-3">{`${formatCount(run.steps ?? 0)} steps · ${run.status}`}</span>
          </li>
        ))}
        {manifest.runs.length > MOST_SHOWN && (
          <li className="text-ink-3">{`and ${formatCount(manifest.runs.length - MOST_SHOWN)} more`}</li>
        )}
      </ul>
      {(taken ?? []).length > 0 && (
        <p className="text-xs text-ink-2">
          {`${many((taken ?? []).length, "run")} with an id that this lab has already: imported with a new id.`}
        </p>
      )}
      {preview.is_here && (
        <p className="text-xs text-ink-2">
          This pack was imported before, and its runs are still here: importing it again adds no run.
        </p>
      )}
      {(problems ?? []).map((problem) => (
        <p key={problem} className="text-xs text-warn">
          {problem}
        </p>
      ))}
    </>
  );
}
