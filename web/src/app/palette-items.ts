/** The items of the palette, and how typing filters them. */
import type { Run, RunStatus } from "@/api/types";
import type { DocEntry, DocTerm } from "@/entities/docs/doc";
import { whyNotAgain } from "@/entities/runs/use-again";

export interface PaletteItem {
  id: string;
  title: string;
  detail?: string;
  keys?: string;
  status?: RunStatus;
  run: () => void;
}

export interface DocPlace {
  page: string;
  hash?: string;
  title: string;
  detail: string;
}

/** Every page, heading and word of the docs, in the order in which they are offered. */
export function docPlaces(pages: readonly DocEntry[], terms: readonly DocTerm[]): DocPlace[] {
  return [
    ...pages.map(({ id, title }) => ({ page: id, title, detail: "Docs" })),
    ...terms.map(({ id, term, meaning }) => ({ page: "glossary", hash: id, title: term, detail: meaning })),
    ...pages.flatMap(({ id, title: page, headings }) =>
      headings.map(({ id: hash, title }) => ({ page: id, hash, title, detail: `Docs · ${page}` })),
    ),
  ];
}

export interface RunMoves {
  again: () => void;
  edit: () => void;
}

/** What can be done with the run that is open. */
export function openRunItems(run: Run | undefined, { again, edit }: RunMoves): PaletteItem[] {
  if (!run || whyNotAgain(run) !== null) return [];
  return [
    { id: "run again", title: "Run again", detail: run.name, run: again },
    { id: "edit and run", title: "Edit and run", detail: run.name, run: edit },
  ];
}

/** Items in which every typed word begins a word; those that begin with it come first. */
export function narrow(items: PaletteItem[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  const matches = items.filter((item) => {
    const parts = `${item.title} ${item.detail ?? ""}`.toLowerCase().split(/[^a-z0-9]+/);
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  });
  const rank = (item: PaletteItem) => (item.title.toLowerCase().startsWith(words[0]!) ? 0 : 1);
  return matches.sort((a, b) => rank(a) - rank(b));
}
