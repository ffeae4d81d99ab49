/** Above the table: query, filters, views, columns, and ways to add runs. One row, also on a phone. */
import type { Run } from "@/api/types";
import { KIND_TITLES, KINDS, STATUSES } from "@/entities/runs/status";
import { formatCount } from "@/lib/format";
import { adoptDialog } from "@/panels/adopt-dialog/dialog";
import { chooseModel } from "@/panels/import-model/dialog";
import { choosePack } from "@/panels/pack-dialog/dialog";
import { openScriptDialog } from "@/panels/script-dialog/dialogs";
import { Button, IconButton } from "@/ui/Button";
import { Menu, type MenuItem } from "@/ui/Menu";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import { Select } from "@/ui/Select";
import { ColumnChooser } from "./ColumnChooser";
import { QueryHelp } from "./QueryHelp";
import type { RunsSearch } from "./search";
import { Views } from "./Views";

export interface RunsToolbarProps {
  runs: readonly Run[];
  search: RunsSearch;
  onSearch: (change: RunsSearch, isStep?: boolean) => void;
  total: number | undefined;
  columns: readonly string[];
  onColumns: (columns: readonly string[]) => void;
  /** Asks for the config.json of a run, and trains with it. */
  onImport: () => void;
}

export function RunsToolbar(props: RunsToolbarProps) {
  const { search, onSearch, total, columns, onColumns } = props;
  return (
    <div className="flex items-center gap-1 sm:flex-wrap sm:gap-2">
      <h1 className="title max-sm:sr-only">Runs</h1>
      <span className="figures mr-2 min-w-10 text-xs text-ink-3 max-sm:hidden">{formatCount(total)}</span>
      <div className="min-w-0 flex-1 sm:min-w-64 sm:max-w-96">
        <SearchField
          label="Filter, such as CartPole lr<0.01 seed:3"
          value={search.q ?? ""}
          onChange={(text) => onSearch({ q: text || undefined })}
        />
      </div>
      <span className="max-sm:hidden">
        <QueryHelp />
      </span>
      <div className="contents max-sm:hidden">
        <Filters search={search} onSearch={onSearch} />
      </div>
      {search.tag && (
        <Button small kind="quiet" icon="close" onClick={() => onSearch({ tag: undefined }, true)}>
          {search.tag}
        </Button>
      )}
      <div className="flex items-center gap-2 max-sm:hidden">
        <Button small icon="play" onClick={() => openScriptDialog()}>
          Run a script
        </Button>
        <Button small icon="plus" onClick={openAdoption}>
          Adopt a folder
        </Button>
        <Menu
          trigger={
            <Button small icon="download">
              Import
            </Button>
          }
          items={importItems(props.onImport)}
        />
      </div>
      <div className="flex items-center sm:ml-auto">
        <span className="sm:hidden">
          <Popover title="Filters" trigger={<IconButton icon="down" label="Filters" />}>
            <div className="flex flex-col gap-3">
              <Filters search={search} onSearch={onSearch} />
            </div>
          </Popover>
        </span>
        <Views
          search={search}
          columns={columns}
          onOpen={(next, shown) => {
            onColumns(shown);
            onSearch(next, true);
          }}
        />
        <ColumnChooser runs={props.runs} columns={columns} onColumns={onColumns} />
        <span className="sm:hidden">
          <Menu
            trigger={<IconButton icon="more" label="More" />}
            items={[
              { title: "Run a script", icon: "play", run: () => openScriptDialog() },
              { title: "Adopt a folder", icon: "plus", run: openAdoption },
              ...importItems(props.onImport),
            ]}
          />
        </span>
      </div>
    </div>
  );
}

const importItems = (onConfig: () => void): MenuItem[] => [
  { title: "Train with a config.json", icon: "play", run: onConfig },
  { title: "Import a pack", icon: "plus", run: choosePack },
  { title: "Import a model", icon: "plus", run: () => chooseModel() },
];

const openAdoption = () => adoptDialog.set({ isOpen: true, folder: "" });

function Filters({ search, onSearch }: Pick<RunsToolbarProps, "search" | "onSearch">) {
  return (
    <>
      <div className="sm:w-36">
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
      <div className="sm:w-36">
        <Select
          label="Kind"
          value={search.kind ?? "train"}
          options={KINDS.map((kind) => ({ value: kind, title: KIND_TITLES[kind] }))}
          onChange={(kind) => onSearch({ kind: kind === "train" ? undefined : kind }, true)}
        />
      </div>
      <Button
        small
        kind={search.archived ? "primary" : "quiet"}
        aria-pressed={search.archived === true}
        onClick={() => onSearch({ archived: search.archived ? undefined : true }, true)}
      >
        Archived
      </Button>
    </>
  );
}
