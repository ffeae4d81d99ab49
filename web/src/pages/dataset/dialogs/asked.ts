/** Which dialog of a dataset is open. */
export type Asked =
  | { kind: "export" | "split" | "merge" | "prune" | "rename" | "keep" }
  | { kind: "texts"; version: number }
  /** Null: the whole dataset. */
  | { kind: "delete"; version: number | null };
