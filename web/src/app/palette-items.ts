/** The items of the palette, and how typing filters them. */
import type { RunStatus } from "@/api/types";
import type { DocEntry, DocTerm } from "@/entities/docs/doc";

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
