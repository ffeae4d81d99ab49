/** The items of the palette, and how typing filters them. */
import type { RunStatus } from "@/api/types";

export interface PaletteItem {
  id: string;
  title: string;
  detail?: string;
  keys?: string;
  status?: RunStatus;
  run: () => void;
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
