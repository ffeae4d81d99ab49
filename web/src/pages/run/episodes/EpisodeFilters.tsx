/** Which episodes are listed: by return, length, step, ending; and in what order. */
import { useEffect, useRef, useState } from "react";
import type { ScriptEnvironment } from "@/api/types";
import {
  ENDINGS,
  EPISODE_ROLES,
  EPISODE_SORTS,
  type EpisodeSearch,
  ROLE_TITLES,
  SORT_TITLES,
} from "@/entities/episodes/episode-search";
import { filterOf } from "@/entities/episodes/queries";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { Select } from "@/ui/Select";

export interface EpisodeFiltersProps {
  search: EpisodeSearch;
  onSearch: (change: EpisodeSearch) => void;
}

/** `roles`: what the environments of a captured script are used for; the first one is listed unless another is asked for. */
export function EpisodeFilters({
  search,
  onSearch,
  roles,
}: EpisodeFiltersProps & { roles: readonly ScriptEnvironment["role"][] }) {
  const { sort: _, ...filters } = filterOf(search);
  const count = Object.keys(filters).length;
  const clear = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
  return (
    <div className="flex items-center gap-2 border-b p-2">
      <div className="min-w-0 flex-1">
        <Select
          label="Order"
          value={search.episodes ?? "-episode"}
          options={EPISODE_SORTS.map((sort) => ({ value: sort, title: SORT_TITLES[sort] }))}
          onChange={(sort) => onSearch({ episodes: sort === "-episode" ? undefined : sort })}
        />
      </div>
      <Popover
        title="Filter episodes"
        trigger={
          <Button small kind={count > 0 ? "primary" : "outline"} className="h-9">
            {count > 0 ? `Filter · ${count}` : "Filter"}
          </Button>
        }
      >
        <div className="flex flex-col gap-3 text-sm">
          <Between title="Return" low="min_reward" high="max_reward" search={search} onSearch={onSearch} />
          <Between title="Length" low="min_length" high="max_length" search={search} onSearch={onSearch} />
          <Between title="Step" low="min_timestep" high="max_timestep" search={search} onSearch={onSearch} />
          <div>
            <p className="mb-1 text-ink-2">Ending</p>
            <Select
              label="Ending"
              value={search.ending ?? "any"}
              options={["any" as const, ...ENDINGS].map((ending) => ({ value: ending, title: ending }))}
              onChange={(ending) => onSearch({ ending: ending === "any" ? undefined : ending })}
            />
          </div>
          <label className="flex min-h-7 items-center gap-2.5">
            <input
              type="checkbox"
              checked={search.noted ?? false}
              onChange={(event) => onSearch({ noted: event.target.checked || undefined })}
              className="size-4 accent-ink"
            />
            Only episodes with a note
          </label>
          {roles[0] && (
            <div>
              <p className="mb-1 text-ink-2">Environments</p>
              <Select
                label="Environments"
                value={search.role ?? roles[0]}
                options={EPISODE_ROLES.map((role) => ({ value: role, title: ROLE_TITLES[role] }))}
                onChange={(role) => onSearch({ role: role === roles[0] ? undefined : role })}
              />
            </div>
          )}
        </div>
      </Popover>
      {count > 0 && <IconButton icon="close" label="Clear the filter" onClick={() => onSearch(clear)} />}
    </div>
  );
}

type Bound = "min_reward" | "max_reward" | "min_length" | "max_length" | "min_timestep" | "max_timestep";

function Between({
  title,
  low,
  high,
  search,
  onSearch,
}: EpisodeFiltersProps & { title: string; low: Bound; high: Bound }) {
  return (
    <div>
      <p className="mb-1 text-ink-2">{title}</p>
      <div className="flex items-center gap-2">
        <NumberField
          label={`${title} at least`}
          value={search[low]}
          onChange={(value) => onSearch({ [low]: value })}
        />
        <span aria-hidden="true" className="text-ink-3">
          to
        </span>
        <NumberField
          label={`${title} at most`}
          value={search[high]}
          onChange={(value) => onSearch({ [high]: value })}
        />
      </div>
    </div>
  );
}

const SETTLE_MS = 350;

/** The filter is applied after a short pause in typing. */
function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}) {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    const next = typed.trim() === "" || !Number.isFinite(Number(typed)) ? undefined : Number(typed);
    if (next !== value) timer.current = setTimeout(() => onChange(next), SETTLE_MS);
  };
  return (
    <input
      inputMode="decimal"
      aria-label={label}
      placeholder="any"
      value={text}
      onChange={(event) => type(event.target.value)}
      className="figures h-8 w-full min-w-0 rounded-sm border border-line-strong bg-surface px-2 text-xs placeholder:text-ink-3"
    />
  );
}
