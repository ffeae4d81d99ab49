/** How smooth all charts are drawn: one setting, which this browser remembers. A link may carry its own. */
import { recall, remember } from "@/lib/remembered";
import { createStore, useStore } from "@/lib/store";

const KEY = "charts.smoothing";
/** Shows the trend; the raw line stays visible behind it. */
export const FIRST_SMOOTHING = 0.9;

const smoothing = createStore<number>(recall(KEY, FIRST_SMOOTHING));

export interface Smoothed {
  smooth?: number;
}

/** The smoothing, and the function that changes it here and on every other chart. */
export function useSmoothing<Search extends Smoothed>(
  search: Search,
  onSearch: (change: Smoothed) => void,
): [number, (value: number) => void] {
  const kept = useStore(smoothing);
  const change = (value: number) => {
    smoothing.set(value);
    remember(KEY, value);
    onSearch({ smooth: value });
  };
  return [search.smooth ?? kept, change];
}

/** For charts whose smoothing cannot be changed in place. */
export const useKeptSmoothing = (): number => useStore(smoothing);
