/** The wrappers among the arguments of an environment. Pure. */
import type { FieldError } from "@/api/types";
import type { Values } from "@/schema-form/fields";

export interface Wrapper extends Values {
  id: string;
}

const NAME = "wrappers";
/** How the server names the arguments, and the list in it. */
const ARGUMENTS = "env_kwargs";
const LIST = `${ARGUMENTS}.${NAME}`;

export const wrappersOf = (envKwargs: Values): Wrapper[] =>
  Array.isArray(envKwargs[NAME]) ? envKwargs[NAME].filter(isWrapper) : [];

const isWrapper = (value: unknown): value is Wrapper =>
  typeof value === "object" && value !== null && typeof (value as Values).id === "string";

/** Whether the arguments say which wrappers there are; an empty list says that there are none. */
export const isListed = (envKwargs: Values): boolean => NAME in envKwargs;

export function withoutWrappers(envKwargs: Values): Values {
  const { [NAME]: _, ...others } = envKwargs;
  return others;
}

/** The arguments with these wrappers instead; without any, the name is left out. */
export const withWrappers = (envKwargs: Values, wrappers: readonly Wrapper[]): Values => ({
  ...withoutWrappers(envKwargs),
  ...(wrappers.length > 0 && { [NAME]: wrappers }),
});

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

export type Errors = Readonly<Record<string, FieldError>>;

/** Whether the server has a message about the arguments or one of their wrappers. */
export const hasErrors = (errors: Errors): boolean => Object.keys(errors).some(isAboutArguments);

export const isAboutArguments = (field: string): boolean =>
  field === ARGUMENTS || field.startsWith(`${ARGUMENTS}.`);

/** Messages about the arguments or the list as a whole, and about a wrapper that is no longer in it. */
export function errorsOfWhole(errors: Errors, wrappers: readonly Wrapper[]): string[] {
  const isPlaced = (field: string) =>
    wrappers.some((_, place) => field === placeOf(place) || field.startsWith(`${placeOf(place)}.`));
  return Object.entries(errors)
    .filter(([field]) => isAboutArguments(field) && !isPlaced(field))
    .map(([, { message }]) => message);
}

/**
 * The messages for one wrapper: env_kwargs.wrappers.1, and those of its fields by their name. A message about one number
 * of a list (mean.3) belongs to the field; one about a field that the form does not have, to the whole wrapper.
 */
export function errorsAt(errors: Errors, place: number, names: readonly string[]) {
  const start = `${placeOf(place)}.`;
  const own = Object.entries(errors).filter(([field]) => field.startsWith(start));
  const nameOf = (field: string) => field.slice(start.length).split(".")[0]!;
  const whole = [
    errors[placeOf(place)]?.message,
    ...own.filter(([field]) => !names.includes(nameOf(field))).map(([, { message }]) => message),
  ];
  const fields = own.filter(([field]) => names.includes(nameOf(field)));
  return {
    whole: whole.filter((message) => message !== undefined),
    fields: Object.fromEntries(fields.map(([field, error]) => [nameOf(field), error])) as Record<
      string,
      FieldError
    >,
  };
}

const placeOf = (place: number): string => `${LIST}.${place}`;
