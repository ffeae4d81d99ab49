/**
 * Schemas for the search parameters of a route. A value that is unknown or broken is left out instead of refused: an
 * old link still opens. Numbers written as text and text that looks like a number are both accepted.
 */
import * as v from "valibot";

export const text = v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), v.nonEmpty());

export const number = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.nonEmpty(), v.transform(Number))]),
  v.finite(),
);

/** A count: rounded, never negative. */
export const count = v.pipe(
  number,
  v.minValue(0),
  v.transform((value) => Math.round(value)),
);

export const numberWithin = (low: number, high: number) =>
  v.pipe(
    number,
    v.transform((value) => Math.min(high, Math.max(low, value))),
  );

export const flag = v.union([
  v.boolean(),
  v.pipe(
    v.picklist(["true", "false"]),
    v.transform((word) => word === "true"),
  ),
]);

export const oneOf = <const Word extends string>(words: readonly Word[]) => v.picklist(words);

/** An object with at least one field. */
export const fields = v.custom<Record<string, unknown>>(
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0,
);

type Schemas = Record<string, v.GenericSchema<unknown, unknown>>;
type Search<S extends Schemas> = { [Name in keyof S]?: v.InferOutput<S[Name]> };

/** The `validateSearch` of a route; `SearchOf` is the type of what it returns. */
export function searchParams<S extends Schemas>(schemas: S): (raw: Record<string, unknown>) => Search<S> {
  return (raw) => {
    const known = Object.entries(schemas).flatMap(([name, schema]) => {
      const found = v.safeParse(schema, raw[name]);
      return found.success && raw[name] !== undefined ? [[name, found.output]] : [];
    });
    return Object.fromEntries(known) as Search<S>;
  };
}

export type SearchOf<Validate extends (raw: Record<string, unknown>) => object> = ReturnType<Validate>;
