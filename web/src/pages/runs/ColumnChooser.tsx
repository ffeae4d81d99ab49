/** Which columns the table shows: those of every run, and the parameters and metrics of the loaded ones. */
import { useMemo, useState } from "react";
import type { Run } from "@/api/types";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import type { Column } from "./column";
import { COLUMNS, columnsOf, FIRST_COLUMNS, isOptional, parameterColumn, parametersOf } from "./columns";
import { metricColumn, metricNames } from "./metric-columns";

export interface ColumnChooserProps {
  runs: readonly Run[];
  columns: readonly string[];
  onColumns: (columns: readonly string[]) => void;
}

export function ColumnChooser(props: ColumnChooserProps) {
  return (
    <Popover title="Columns" trigger={<IconButton icon="settings" label="Columns" />}>
      <Choices {...props} />
    </Popover>
  );
}

function Choices({ runs, columns, onColumns }: ColumnChooserProps) {
  const [text, setText] = useState("");
  const parameters = useMemo(() => parametersOf(runs).map(parameterColumn), [runs]);
  const metrics = useMemo(() => metricNames(runs).map(metricColumn), [runs]);
  // A chosen one stays in the list even when no loaded run has it.
  const absent = columnsOf(columns).filter(
    ({ id }) => isOptional(id) && ![...parameters, ...metrics].some((one) => one.id === id),
  );
  const matches = ({ title }: Column) => title.toLowerCase().includes(text.trim().toLowerCase());
  const box = (column: Column) => (
    <label key={column.id} className="flex min-h-7 items-center gap-2.5 text-sm">
      <input
        type="checkbox"
        checked={columns.includes(column.id)}
        onChange={(event) =>
          onColumns(
            event.target.checked ? [...columns, column.id] : columns.filter((other) => other !== column.id),
          )
        }
        className="size-4 accent-ink"
      />
      {column.title}
    </label>
  );
  const groups: [string, Column[]][] = [
    ["Columns", COLUMNS.filter((column) => !column.isFixed)],
    ["Parameters", [...absent, ...parameters]],
    ["Metrics", metrics],
  ];
  const found = groups.map(([title, list]) => [title, list.filter(matches)] as const);
  return (
    <div className="flex flex-col gap-3">
      <SearchField label="Find a column" value={text} onChange={setText} />
      <div className="flex max-h-80 flex-col gap-3 overflow-y-auto">
        {found.map(
          ([title, list]) =>
            list.length > 0 && (
              <fieldset key={title} className="flex flex-col">
                <legend className="mb-1 text-xs text-ink-3">{title}</legend>
                {list.map(box)}
              </fieldset>
            ),
        )}
      </div>
      <Button small kind="quiet" icon="reset" className="self-start" onClick={() => onColumns(FIRST_COLUMNS)}>
        Reset to default
      </Button>
    </div>
  );
}
