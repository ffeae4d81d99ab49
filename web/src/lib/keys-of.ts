/** The keys of a table in their order, typed: a list that a table of titles already spells out is not written twice. */
export const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(table) as K[];
