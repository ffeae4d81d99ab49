/** The versions of a dataset: open, pin, delete, and the numbers of all of them side by side. */
import { useState } from "react";
import type { Dataset, DatasetVersion } from "@/api/types";
import { usePatchDatasetVersion } from "@/entities/datasets/use-dataset-actions";
import { returnText, spell } from "@/entities/datasets/words";
import { formatDate, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { Menu } from "@/ui/Menu";
import { Panel } from "@/ui/Panel";
import type { Asked } from "./dialogs/asked";
import { comparedRows } from "./facts";

export interface VersionsPanelProps {
  dataset: Dataset;
  shown: DatasetVersion;
  onVersion: (version: number) => void;
  onAsk: (asked: Asked) => void;
}

export function VersionsPanel({ dataset, shown, onVersion, onAsk }: VersionsPanelProps) {
  const [isCompared, setCompared] = useState(false);
  const patch = usePatchDatasetVersion(dataset.name);
  const { versions, keep } = dataset;
  return (
    <Panel
      title="Versions"
      flush
      aside={<span className="figures text-xs text-ink-3">{versions.length}</span>}
      actions={
        versions.length > 1 && (
          <Button small kind="quiet" icon="columns" onClick={() => setCompared(true)}>
            Compare
          </Button>
        )
      }
    >
      <ul aria-label={`Versions of ${dataset.name}`}>
        {versions.map((version) => (
          <li
            key={version.version}
            className={cx(
              "relative flex items-center gap-3 border-b px-4 py-2 last:border-0 hover:bg-sunken",
              version === shown && "bg-select",
            )}
          >
            <button
              type="button"
              aria-current={version === shown || undefined}
              onClick={() => onVersion(version.version)}
              className="ring-inside min-w-0 flex-1 text-left after:absolute after:inset-0"
            >
              <span className="flex items-center gap-2 text-sm">
                <span className="figures font-semibold">{`v${version.version}`}</span>
                <span className="figures truncate text-xs text-ink-2">
                  {`${formatPlural(version.episodes, "episode")} · ${returnText(version.statistics)}`}
                </span>
                {version.pinned && <Badge>pinned</Badge>}
              </span>
              <span className="text-2xs text-ink-3">
                {formatDate(version.created_at)}
                {version.learned_by ? ` · learned by ${formatPlural(version.learned_by, "run")}` : ""}
              </span>
            </button>
            <span className="relative">
              <Menu
                trigger={<IconButton icon="more" label={`Actions for ${spell(version)}`} />}
                items={[
                  {
                    title: version.pinned ? "Unpin" : "Pin",
                    icon: "check",
                    run: () => patch.mutate({ version: version.version, patch: { pinned: !version.pinned } }),
                  },
                  {
                    title: "Licence and source…",
                    icon: "note",
                    run: () => onAsk({ kind: "texts", version: version.version }),
                  },
                  {
                    title: "Delete this version…",
                    icon: "close",
                    danger: true,
                    reason:
                      versions.length === 1 ? "It is the only version. Delete the dataset instead." : null,
                    run: () => onAsk({ kind: "delete", version: version.version }),
                  },
                ]}
              />
            </span>
          </li>
        ))}
      </ul>
      <p className="border-t px-4 py-2 text-xs text-ink-3">
        {keep == null
          ? "All versions are kept."
          : `The newest ${formatPlural(keep, "version")} and pinned ones are kept.`}{" "}
        <button
          type="button"
          className="underline underline-offset-2 hover:text-ink"
          onClick={() => onAsk({ kind: "keep" })}
        >
          Change
        </button>
      </p>
      <Dialog open={isCompared} onOpenChange={setCompared} title={`Versions of ${dataset.name}`} wide>
        <Compared versions={versions} />
      </Dialog>
    </Panel>
  );
}

function Compared({ versions }: { versions: readonly DatasetVersion[] }) {
  return (
    <section aria-label="Numbers of the versions" tabIndex={0} className="overflow-x-auto p-5">
      <table className="w-full text-sm">
        <thead>
          <tr className="label border-b text-left text-ink-3">
            <th scope="col" className="py-1.5 pr-4">
              <span className="sr-only">What</span>
            </th>
            {versions.map(({ version }) => (
              <th key={version} scope="col" className="figures px-3 py-1.5 text-right">{`v${version}`}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedRows(versions).map(({ title, values, isSame }) => (
            <tr key={title} className={cx("border-b last:border-0", isSame && "text-ink-3")}>
              <th scope="row" className="py-1.5 pr-4 text-left font-normal whitespace-nowrap">
                {title}
              </th>
              {values.map((value, i) => (
                <td key={i} className="figures px-3 py-1.5 text-right text-xs">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
