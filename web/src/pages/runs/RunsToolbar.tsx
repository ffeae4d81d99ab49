/** Above the table: filters, columns, and actions for the selected rows. */
import type { Run } from "@/api/types";
import { hasWorker, KIND_TITLES, KINDS, STATUSES } from "@/entities/runs/status";
import { useRunActions } from "@/entities/runs/use-run-actions";
import { formatCount } from "@/lib/format";
import { adoptDialog } from "@/panels/adopt-dialog/dialog";
import { openScriptDialog } from "@/panels/script-dialog/dialogs";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { COLUMNS, FIRST_COLUMNS } from "./columns";
import type { RunsSearch } from "./search";

export interface RunsToolbarProps {
  search: RunsSearch;
  onSearch: (change: RunsSearch, isStep?: boolean) => void;
  total: number | undefined;
  chosen: Run[];
  onDone: () => void;
  onCompare: (runs: Run[]) => void;
  columns: readonly string[];
  onColumns: (columns: readonly string[]) => void;
}

export function RunsToolbar(props: RunsToolbarProps) {
  const { search, onSearch, total } = props;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="title">Runs</h1>
      <span className="figures mr-2 min-w-10 text-xs text-ink-3">{formatCount(total)}</span>
      <div className="min-w-44 flex-1 sm:max-w-72">
        <SearchField
          label="Filter by name, environment, tag"
          value={search.q ?? ""}
          onChange={(text) => onSearch({ q: text || undefined })}
        />
      </div>
      <div className="w-36">
        <Select
          label="Status"
          value={search.status ?? "any"}
          options={[
            { value: "any", title: "Any status" },
            ...STATUSES.map((status) => ({ value: status as string, title: status })),
          ]}
          onChange={(status) => onSearch({ status: STATUSES.find((one) => one === status) }, true)}
        />
      </div>
      <div className="w-36">
        <Select
          label="Kind"
          value={search.kind ?? "train"}
          options={KINDS.map((kind) => ({ value: kind, title: KIND_TITLES[kind] }))}
          onChange={(kind) => onSearch({ kind: kind === "train" ? undefined : kind }, true)}
        />
      </div>
      {search.tag && (
        <Button small kind="quiet" icon="close" onClick={() => onSearch({ tag: undefined }, true)}>
          {search.tag}
        </Button>
      )}
      <Button
        small
        kind={search.archived ? "primary" : "quiet"}
        aria-pressed={search.archived === true}
        onClick={() => onSearch({ archived: search.archived ? undefined : true }, true)}
      >
        Archived
      </Button>
      <Button small icon="play" onClick={() => openScriptDialog()}>
        Run a script
      </Button>
      <Button small icon="plus" onClick={() => adoptDialog.set({ isOpen: true, folder: "" })}>
        Adopt a folder
      </Button>
      <ColumnChooser columns={props.columns} onColumns={props.onColumns} />
      <ChosenActions {...props} />
    </div>
  );
}

function ColumnChooser({ columns, onColumns }: Pick<RunsToolbarProps, "columns" | "onColumns">) {
  return (
    <Popover title="Columns" trigger={<IconButton icon="settings" label="Columns" />}>
      <fieldset className="flex flex-col">
        <legend className="label mb-2 text-ink-3">Columns</legend>
        {COLUMNS.filter((column) => !column.isFixed).map((column) => (
          <label key={column.id} className="flex min-h-7 items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={columns.includes(column.id)}
              onChange={(event) =>
                onColumns(
                  event.target.checked
                    ? [...columns, column.id]
                    : columns.filter((other) => other !== column.id),
                )
              }
              className="size-4 accent-ink"
            />
            {column.title}
          </label>
        ))}
        <Button
          small
          kind="quiet"
          icon="reset"
          className="mt-2 self-start"
          onClick={() => onColumns(FIRST_COLUMNS)}
        >
          Reset to default
        </Button>
      </fieldset>
    </Popover>
  );
}

function ChosenActions({ search, chosen, onDone, onCompare }: RunsToolbarProps) {
  const actions = useRunActions();
  const none = chosen.length === 0 ? "Select runs first." : null;
  const live = chosen.some(hasWorker);
  const act = (action: (runs: Run[]) => void) => () => {
    action(chosen);
    onDone();
  };
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      <span role="status" className="figures text-xs text-ink-2">
        {chosen.length > 0 && `${formatCount(chosen.length)} selected`}
      </span>
      <Button small icon="chart" reason={whyNotCompare(chosen)} onClick={() => onCompare(chosen)}>
        Compare
      </Button>
      <Button small reason={none} onClick={act((runs) => actions.archive(runs, !search.archived))}>
        {search.archived ? "Unarchive" : "Archive"}
      </Button>
      <Button
        small
        kind="danger"
        reason={none ?? (live ? "Stop the selected runs that are still running first." : null)}
        onClick={act(actions.remove)}
      >
        Delete
      </Button>
    </div>
  );
}

const MOST_COMPARED = 20;

function whyNotCompare(chosen: readonly Run[]): string | null {
  if (chosen.length < 2) return "Select two or more runs to compare.";
  return chosen.length > MOST_COMPARED ? `At most ${MOST_COMPARED} runs are compared at once.` : null;
}
