/** Above the table: what is listed, the filter, and ways to get a model. */
import { formatCount } from "@/lib/format";
import { chooseModel } from "@/panels/import-model/dialog";
import { pullDialog } from "@/panels/pull-dialog/dialog";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Menu, type MenuItem } from "@/ui/Menu";
import { Popover } from "@/ui/Popover";
import { SearchField } from "@/ui/SearchField";
import { type Option, Select } from "@/ui/Select";
import type { ModelsSearch } from "./search";

export interface FilterChoices {
  environments: readonly string[];
  algorithms: readonly string[];
  tags: readonly string[];
}

export interface ModelsToolbarProps {
  search: ModelsSearch;
  onSearch: (change: ModelsSearch, isStep?: boolean) => void;
  choices: FilterChoices;
  checkpoints: number | undefined;
  models: number | undefined;
}

export function ModelsToolbar(props: ModelsToolbarProps) {
  const { search, onSearch } = props;
  const isNamed = search.view === "named";
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h1 className="title max-sm:sr-only">Models</h1>
      <ViewSwitch {...props} />
      {!isNamed && (
        <>
          <div className="min-w-0 flex-1 sm:min-w-48 sm:max-w-80">
            <SearchField
              label="Filter by run, tag, note, name or hash"
              value={search.q ?? ""}
              onChange={(text) => onSearch({ q: text || undefined })}
            />
          </div>
          <div className="contents max-sm:hidden">
            <Filters {...props} />
          </div>
          <span className="sm:hidden">
            <Popover title="Filters" trigger={<FilterButton search={search} />}>
              <div className="flex flex-col gap-3">
                <Filters {...props} />
              </div>
            </Popover>
          </span>
        </>
      )}
      <span className="ml-auto">
        <Menu
          trigger={
            <Button small icon="download">
              Import
            </Button>
          }
          items={IMPORTS}
        />
      </span>
    </div>
  );
}

/** On a phone the filters are hidden: the button has how many are set. The props that the popover adds are passed on. */
function FilterButton({ search, ...rest }: { search: ModelsSearch }) {
  const set = [search.env, search.algorithm, search.tag, search.named].filter(Boolean).length;
  return (
    <Button small kind={set > 0 ? "primary" : "outline"} {...rest}>
      {set > 0 ? `Filters: ${set}` : "Filters"}
    </Button>
  );
}

const IMPORTS: MenuItem[] = [
  { title: "A model file", icon: "plus", run: () => chooseModel() },
  { title: "A folder with a model", icon: "plus", run: () => chooseModel("folder") },
  { title: "From the Hub…", icon: "download", run: () => pullDialog.set({ isOpen: true }) },
];

const VIEWS: readonly { view: ModelsSearch["view"]; title: string; count: "checkpoints" | "models" }[] = [
  { view: undefined, title: "Checkpoints", count: "checkpoints" },
  { view: "named", title: "Named", count: "models" },
];

function ViewSwitch(props: ModelsToolbarProps) {
  return (
    <div
      role="group"
      aria-label="What is listed"
      className="flex shrink-0 rounded-md border border-line-strong bg-sunken p-0.5 max-sm:w-full"
    >
      {VIEWS.map(({ view, title, count }) => (
        <button
          key={title}
          type="button"
          aria-pressed={props.search.view === view}
          onClick={() => props.onSearch({ view }, true)}
          className={cx(
            "flex h-8 flex-1 items-center justify-center gap-2 rounded-sm px-3 text-sm font-medium",
            props.search.view === view ? "bg-surface text-ink shadow-sm" : "text-ink-2 hover:text-ink",
          )}
        >
          {title}
          <span className="figures text-2xs font-normal text-ink-3">{formatCount(props[count])}</span>
        </button>
      ))}
    </div>
  );
}

/** What is chosen stays in the list, also when a link names something that no checkpoint has. */
export function optionsOf(
  any: string,
  values: readonly string[],
  chosen: string | undefined,
): Option<string>[] {
  const all = chosen && !values.includes(chosen) ? [...values, chosen] : values;
  return [{ value: "", title: any }, ...all.map((value) => ({ value, title: value }))];
}

function Filters({ search, onSearch, choices }: Pick<ModelsToolbarProps, "search" | "onSearch" | "choices">) {
  return (
    <>
      <div className="sm:w-44">
        <Select
          label="Environment"
          value={search.env ?? ""}
          options={optionsOf("Any environment", choices.environments, search.env)}
          onChange={(env) => onSearch({ env: env || undefined }, true)}
        />
      </div>
      <div className="sm:w-36">
        <Select
          label="Algorithm"
          value={search.algorithm ?? ""}
          options={optionsOf("Any algorithm", choices.algorithms, search.algorithm).map((option) => ({
            ...option,
            title: option.value ? option.value.toUpperCase() : option.title,
          }))}
          onChange={(algorithm) => onSearch({ algorithm: algorithm || undefined }, true)}
        />
      </div>
      {(choices.tags.length > 0 || search.tag) && (
        <div className="sm:w-32">
          <Select
            label="Tag"
            value={search.tag ?? ""}
            options={optionsOf("Any tag", choices.tags, search.tag)}
            onChange={(tag) => onSearch({ tag: tag || undefined }, true)}
          />
        </div>
      )}
      <Button
        small
        kind={search.named ? "primary" : "outline"}
        aria-pressed={search.named === true}
        onClick={() => onSearch({ named: search.named ? undefined : true }, true)}
      >
        Named only
      </Button>
    </>
  );
}
