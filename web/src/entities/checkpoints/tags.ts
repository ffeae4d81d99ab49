/** Tags as one line of text. Pure. */

const MOST_CHARACTERS = 64;

/** "baseline, demo ,, demo" → ["baseline", "demo"]. */
export const tagsFrom = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((tag) => tag.trim().slice(0, MOST_CHARACTERS))
      .filter(Boolean),
  ),
];
