/** Opens, saves and deletes views of the table. */
import { type FormEvent, useState } from "react";
import { useViews } from "@/entities/views/use-views";
import { Button, IconButton } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import type { RunsSearch } from "./search";
import { searchOf, viewOf } from "./views";

export interface ViewsProps {
  search: RunsSearch;
  columns: readonly string[];
  onOpen: (search: RunsSearch, columns: readonly string[]) => void;
}

export function Views({ search, columns, onOpen }: ViewsProps) {
  const { views, save: put, remove } = useViews();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState("");
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    put(viewOf(name.trim(), search, columns));
    setName("");
  };
  return (
    <Popover
      title="Views"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={<IconButton icon="menu" label="Saved views" />}
    >
      <p className="mb-2 text-xs text-ink-2">
        A view keeps the filter, the order and the columns; <code>rl-lab runs --view NAME</code> lists the
        same.
      </p>
      <ul aria-label="Saved views" className="mb-2 flex flex-col">
        {views.map((view) => (
          <li key={view.name} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => {
                onOpen(searchOf(view), view.columns.length > 0 ? view.columns : columns);
                setIsOpen(false);
              }}
              className="min-h-8 min-w-0 flex-1 truncate rounded-sm px-2 text-left text-sm hover:bg-sunken"
            >
              {view.name}
            </button>
            <IconButton icon="close" label={`Delete the view ${view.name}`} onClick={() => remove(view)} />
          </li>
        ))}
      </ul>
      <form onSubmit={save} className="flex gap-2">
        <input
          aria-label="Name of the view"
          placeholder="Name of this view"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="h-9 min-w-0 flex-1 rounded-sm border border-line-strong bg-surface px-2.5 text-sm"
        />
        <Button type="submit" reason={name.trim() === "" ? "Type a name first." : null}>
          Save
        </Button>
      </form>
    </Popover>
  );
}
