/** A table of configurations: differing settings first and marked, the others on demand. */
import type { ReactNode } from "react";
import { valueText } from "@/entities/run-labels/settings";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { type Config, diffOf } from "./diff";

export interface ConfigColumn {
  id: string;
  title: ReactNode;
  config: Config;
}

export interface ConfigDiffProps {
  label: string;
  columns: readonly ConfigColumn[];
  showsAll: boolean;
  /** Absent when there is nothing to compare with. */
  onShowAll?: (showsAll: boolean) => void;
  /** Readable names, shown before the settings' own. */
  labels?: Readonly<Record<string, string>>;
}

export function ConfigDiff({ label, columns, showsAll, onShowAll, labels = {} }: ConfigDiffProps) {
  const rows = diffOf(columns.map((column) => column.config));
  const differing = rows.filter((row) => row.differs);
  const shown = showsAll ? rows : differing;
  return (
    <div>
      {shown.length > 0 && (
        <section aria-label={label} tabIndex={0} className="overflow-x-auto">
          <table className="w-full text-sm">
            <thead>
              <tr className="border-b">
                <th scope="col" className="label px-4 py-2 text-left text-ink-3">
                  Setting
                </th>
                {columns.map((column) => (
                  <th key={column.id} scope="col" className="label px-4 py-2 text-left text-ink-3">
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.name} className={cx("border-b last:border-0", row.differs && "bg-select")}>
                  <th
                    scope="row"
                    className={cx(
                      "figures px-4 py-1.5 text-left text-xs",
                      row.differs ? "font-semibold" : "font-normal text-ink-2",
                    )}
                  >
                    {labels[row.name] && <span className="mr-2 font-sans">{labels[row.name]}</span>}
                    <span className={cx(labels[row.name] && "font-normal text-ink-3")}>{row.name}</span>
                  </th>
                  {row.values.map((value, i) => (
                    <td key={columns[i]!.id} className="figures px-4 py-1.5 text-xs whitespace-nowrap">
                      {valueText(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {onShowAll && (
        <div className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-xs text-ink-2">
          <span>
            {differing.length === 0
              ? "Nothing differs."
              : `${differing.length} of ${rows.length} settings differ.`}
          </span>
          {rows.length > differing.length && (
            <Button small kind="quiet" onClick={() => onShowAll(!showsAll)}>
              {showsAll ? "Only differences" : "Show all"}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
