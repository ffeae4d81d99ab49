/** The wrappers among the arguments of an environment. Pure. */
import type { Values } from "@/schema-form/fields";

export interface Wrapper extends Values {
  id: string;
}

const NAME = "wrappers";

export const wrappersOf = (envKwargs: Values): Wrapper[] =>
  Array.isArray(envKwargs[NAME]) ? envKwargs[NAME].filter(isWrapper) : [];

const isWrapper = (value: unknown): value is Wrapper =>
  typeof value === "object" && value !== null && typeof (value as Values).id === "string";

/** The arguments with these wrappers instead; without any, the name is left out. */
export function withWrappers(envKwargs: Values, wrappers: readonly Wrapper[]): Values {
  const { [NAME]: _, ...others } = envKwargs;
  return wrappers.length > 0 ? { ...others, [NAME]: wrappers } : others;
}

/** What else the environment is given, as text: "gravity −5". */
export const otherArguments = (envKwargs: Values): string[] =>
  Object.entries(envKwargs)
    .filter(([name]) => name !== NAME)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`);

/** With the wrapper at this place moved towards the environment (−1) or away from it (1). */
export function moved(wrappers: readonly Wrapper[], place: number, by: -1 | 1): Wrapper[] {
  const next = [...wrappers];
  const [one] = next.splice(place, 1);
  if (one) next.splice(Math.max(0, place + by), 0, one);
  return next;
}

export const without = (wrappers: readonly Wrapper[], place: number): Wrapper[] =>
  wrappers.filter((_, i) => i !== place);

export const changed = (wrappers: readonly Wrapper[], place: number, values: Values): Wrapper[] =>
  wrappers.map((one, i) => (i === place ? { ...values, id: one.id } : one));

/** The server's messages for one wrapper: env_kwargs.wrappers.1 and its fields. */
export function errorsAt<Error>(errors: Record<string, Error>, place: number) {
  const start = `env_kwargs.wrappers.${place}`;
  const ofFields = Object.entries(errors).filter(([field]) => field.startsWith(`${start}.`));
  return {
    whole: errors[start],
    fields: Object.fromEntries(ofFields.map(([field, error]) => [field.slice(start.length + 1), error])),
  };
}
