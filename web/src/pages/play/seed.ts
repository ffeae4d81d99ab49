/** The seed of an episode as it is typed. Pure. */
import { formatCount } from "@/lib/format";

/** MAX_SEED in core/bounds.py. */
const MOST_SEED = 2 ** 31 - 1;

export const SEED_PROBLEM = `A seed is a whole number from 0 to ${formatCount(MOST_SEED)}.`;

export const isSeedText = (text: string): boolean =>
  /^\d{1,10}$/.test(text.trim()) && Number(text) <= MOST_SEED;
