/** Reads seeds as people type them: 5 is a number of seeds to draw; 3,7,11 and 1-5 are the seeds themselves. */

export const MOST_SEEDS = 1000;
const HOW = "Type how many seeds (5), or the seeds themselves (3,7,11 or 1-5).";

export interface TypedSeeds {
  /** A number: so many are drawn. Null: nothing was typed, or a problem. */
  seeds: number | number[] | null;
  problem: string | null;
}

export function parseSeeds(text: string): TypedSeeds {
  const plain = text.trim();
  if (plain === "") return { seeds: null, problem: null };
  if (/^\d+$/.test(plain)) return checked(Number(plain), Number(plain));
  const parts = plain.split(/[\s,;]+/).filter(Boolean);
  const lists = parts.map(seedsIn);
  if (lists.some((list) => list === null)) return { seeds: null, problem: HOW };
  const all = lists.flatMap((list) => list ?? []);
  const twice = all.find((seed, index) => all.indexOf(seed) !== index);
  if (twice !== undefined) return { seeds: null, problem: `Seed ${twice} is there twice.` };
  return checked(all, all.length);
}

function seedsIn(part: string): number[] | null {
  const [, first, last] = /^(\d+)(?:[-–](\d+))?$/.exec(part) ?? [];
  if (first === undefined) return null;
  const [from, to] = [Number(first), Number(last ?? first)];
  if (to < from || to - from >= MOST_SEEDS || !Number.isSafeInteger(to)) return null;
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const checked = (seeds: number | number[], count: number): TypedSeeds =>
  count >= 1 && count <= MOST_SEEDS
    ? { seeds, problem: null }
    : { seeds: null, problem: `From 1 to ${MOST_SEEDS.toLocaleString("en")} seeds.` };
