/** Ctrl-K: pages, actions with a key, runs and the docs in one list, filtered while typing. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type KeyboardEvent as ReactKeyboardEvent, useDeferredValue, useId, useState } from "react";
import { docsQuery } from "@/entities/docs/queries";
import { runQuery, runsQuery } from "@/entities/runs/queries";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { useAgain, useEditAndRun } from "@/entities/runs/use-again";
import { scriptOf } from "@/entities/runs/words";
import { studiesQuery } from "@/entities/studies/queries";
import { keyCaps, keyTable } from "@/lib/keys";
import { useStore } from "@/lib/store";
import { openScript } from "@/panels/script-dialog/again";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { Icon } from "@/ui/icons";
import { docPlaces, narrow, openRunItems, type PaletteItem } from "./palette-items";

export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search runs, actions and docs" bare>
      {open && <PaletteList onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function PaletteList({ onDone }: { onDone: () => void }) {
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const items = usePaletteItems(query);
  const index = Math.min(chosen, items.length - 1);

  const pick = (item: PaletteItem | undefined) => {
    if (!item) return;
    onDone();
    item.run();
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((index + step + items.length) % Math.max(1, items.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(items[index]);
    }
  };

  return (
    <>
      <div className="sticky top-0 flex items-center gap-3 border-b bg-surface px-4">
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is opened to type in it
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={items[index] ? `${listId}-${index}` : undefined}
          aria-label="Search runs, actions and docs"
          placeholder="Search runs, actions and docs"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 flex-1 bg-transparent outline-none placeholder:text-ink-3"
        />
      </div>
      <div role="listbox" id={listId} aria-label="Results" className="py-2">
        {items.map((item, i) => (
          <PaletteRow
            key={item.id}
            id={`${listId}-${i}`}
            item={item}
            selected={i === index}
            onHover={() => setChosen(i)}
            onPick={() => pick(item)}
          />
        ))}
        {items.length === 0 && (
          <p className="px-4 py-6 text-center text-sm text-ink-3">Nothing matches “{query}”.</p>
        )}
      </div>
    </>
  );
}

interface RowProps {
  id: string;
  item: PaletteItem;
  selected: boolean;
  onHover: () => void;
  onPick: () => void;
}

function PaletteRow({ id, item, selected, onHover, onPick }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field that owns this list
    <div
      role="option"
      id={id}
      aria-selected={selected}
      onMouseMove={onHover}
      onClick={onPick}
      className={cx("flex cursor-pointer items-center gap-3 px-4 py-2 text-sm", selected && "bg-sunken")}
    >
      <span className="min-w-0 truncate">{item.title}</span>
      {item.detail && <span className="min-w-0 truncate text-xs text-ink-3">{item.detail}</span>}
      <span className="ml-auto flex shrink-0 gap-1">
        {item.status && <StatusBadge status={item.status} />}
        {item.keys && keyCaps(item.keys).map((cap, i) => <Badge key={i}>{cap}</Badge>)}
      </span>
    </div>
  );
}

function usePaletteItems(query: string): PaletteItem[] {
  const navigate = useNavigate();
  const q = useDeferredValue(query.trim());
  const bindings = useStore(keyTable);
  const runs = useInfiniteQuery(runsQuery(q ? { q } : {})).data?.pages[0]?.items ?? [];
  const actions = bindings
    .filter((b) => b.keys !== "ctrl+k")
    .map(
      (b): PaletteItem => ({
        id: `key ${b.keys}`,
        title: b.title,
        detail: b.group,
        keys: b.keys,
        run: () => b.run(new KeyboardEvent("keydown")),
      }),
    );
  const found = runs.slice(0, 12).map(
    (run): PaletteItem => ({
      id: run.id,
      title: run.name,
      detail: run.id,
      status: run.status,
      run: () => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    }),
  );
  const own = useOpenRunItems();
  return [...narrow([...own, ...actions], query), ...found, ...useStudyItems(q), ...useDocItems(query)];
}

/** Of the run whose page is open, or that the lab shows by its link. */
function useOpenRunItems(): PaletteItem[] {
  const { runId } = useParams({ strict: false });
  const { run: shownId } = useSearch({ strict: false });
  const id = runId ?? shownId;
  const run = useQuery({ ...runQuery(id ?? ""), enabled: id !== undefined }).data;
  const again = useAgain();
  const edit = useEditAndRun();
  return openRunItems(run, {
    again: () => run && again.mutate(run),
    edit: () => run && (scriptOf(run) ? openScript(run) : edit(run)),
  });
}

const MOST_STUDIES = 6;

function useStudyItems(q: string): PaletteItem[] {
  const navigate = useNavigate();
  const studies = useInfiniteQuery(studiesQuery(q ? { q } : {})).data?.pages[0]?.items ?? [];
  return studies.slice(0, MOST_STUDIES).map(
    (study): PaletteItem => ({
      id: `study ${study.id}`,
      title: study.name,
      detail: `Study · ${study.plan.question || study.id}`,
      run: () => void navigate({ to: "/studies/$studyId", params: { studyId: study.id } }),
    }),
  );
}

const MOST_DOCS = 8;

/** The docs, once something has been typed. */
function useDocItems(query: string): PaletteItem[] {
  const navigate = useNavigate();
  const index = useQuery(docsQuery).data;
  if (!index || query.trim() === "") return [];
  const items = docPlaces(index.pages, index.terms).map(
    ({ page, hash, title, detail }): PaletteItem => ({
      id: `docs ${page}#${hash ?? ""}`,
      title,
      detail,
      run: () => void navigate({ to: "/docs/$", params: { _splat: page }, hash }),
    }),
  );
  return narrow(items, query).slice(0, MOST_DOCS);
}
