/** A wrapper that is code of the user: which saved code it can be. Pure. */
import type { Code, WrapperInfo } from "@/api/types";
import { spellCode } from "@/entities/codes/words";
import type { Schema } from "@/schema-form/fields";
import type { Option } from "@/ui/Select";
import type { Wrapper } from "./chosen";

const CUSTOM = "custom";
/** The field with the name of the saved code, which has a list of its own. */
export const CODE = "code";

export const isCustom = ({ id }: Wrapper): boolean => id === CUSTOM;

/** The fields of the form without those that have a control of their own. */
export function otherFields({ id, params_schema }: WrapperInfo): Schema {
  if (id !== CUSTOM) return params_schema;
  const { [CODE]: _, ...properties } = (params_schema.properties ?? {}) as Schema;
  return { ...params_schema, properties };
}

/** Every version as NAME@vN, and what is chosen, also when it is a bare name or no longer saved. */
export function codeOptions(codes: readonly Code[], chosen: string): Option<string>[] {
  const known = codes.flatMap(({ versions }) => versions).map(spellCode);
  const isListed = chosen === "" || known.includes(chosen);
  const isName = codes.some(({ name }) => name === chosen);
  return [
    { value: "", title: "Choose saved code…" },
    ...(isListed ? [] : [{ value: chosen, title: isName ? `${chosen}, newest version` : chosen }]),
    ...known.map((spelled) => ({ value: spelled, title: spelled })),
  ];
}
