/** Tags as one line of text. Pure. */

/** "baseline, demo ,, demo" → ["baseline", "demo"]. */
export const tagsFrom = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
