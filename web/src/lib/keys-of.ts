/** The keys of a table in their order, typed. Lists such as the run statuses come from a table that has to be complete. */
export const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] =>
  Object.keys(table) as K[];
