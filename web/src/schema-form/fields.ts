/** A JSON Schema (as pydantic writes it for an algorithm's Params) read into the fields a form draws. Pure. */

export type FieldKind = "integer" | "number" | "boolean" | "choice" | "integers" | "numbers" | "text";

export interface Field {
  name: string;
  /** "Learning rate"; the name itself is `learning_rate`. */
  title: string;
  help: string;
  /** What else the schema teaches, as pairs of heading and text: "Too high looks like", "the reward collapses". */
  lessons: [string, string][];
  /** The only kind of actions the field matters for. */
  actions?: string;
  kind: FieldKind;
  default: unknown;
  nullable: boolean;
  group: string;
  isAdvanced: boolean;
  isLog: boolean;
  /** Of a list: of each of its numbers. */
  min?: number;
  max?: number;
  /** The bound itself is not allowed. */
  isMinOpen: boolean;
  isMaxOpen: boolean;
  choices: string[];
  maxItems?: number;
}

export interface FieldGroup {
  title: string;
  fields: Field[];
}

/** The group of fields without one. */
const OTHER = "Other";

export type Schema = Record<string, unknown>;
export type Values = Record<string, unknown>;

export function fieldsOf(schema: Schema): Field[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, schema));
}

/** Groups in the order in which the schema first names them. */
export function groupsOf(fields: readonly Field[]): FieldGroup[] {
  const groups = new Map<string, Field[]>();
  for (const field of fields) groups.set(field.group, [...(groups.get(field.group) ?? []), field]);
  return [...groups].map(([title, members]) => ({ title, fields: members }));
}

/** A form whose fields have no groups needs no heading “Other”. */
export const hasHeading = ({ title }: FieldGroup, groups: readonly FieldGroup[]): boolean =>
  groups.length > 1 || title !== OTHER;

export function defaultsOf(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map((field) => [field.name, field.default]));
}

function fieldOf(name: string, property: Schema, root: Schema): Field {
  const branches = [
    property,
    ...((property.anyOf ?? property.oneOf ?? property.allOf ?? []) as Schema[]),
  ].map((branch) => resolved(branch, root));
  const shape = Object.assign({}, ...branches.filter((branch) => branch.type !== "null").reverse()) as Schema;
  const choices = choicesOf(shape);
  const bounds = shape.type === "array" ? itemsOf(shape) : shape;
  return {
    name,
    title: titleOf(name, property),
    lessons: LESSONS.flatMap(([key, heading]) =>
      typeof property[key] === "string" ? [[heading, String(property[key])]] : [],
    ),
    actions: typeof property["x-actions"] === "string" ? property["x-actions"] : undefined,
    help: String(property.description ?? shape.description ?? ""),
    kind: kindOf(shape, choices),
    default: property.default ?? null,
    nullable: branches.some((branch) => branch.type === "null"),
    group: String(property["x-group"] ?? OTHER),
    isAdvanced: property["x-advanced"] === true,
    isLog: property["x-scale"] === "log",
    min: number(bounds.minimum ?? bounds.exclusiveMinimum),
    max: number(bounds.maximum ?? bounds.exclusiveMaximum),
    isMinOpen: bounds.minimum === undefined && bounds.exclusiveMinimum !== undefined,
    isMaxOpen: bounds.maximum === undefined && bounds.exclusiveMaximum !== undefined,
    choices,
    maxItems: number(shape.maxItems),
  };
}

const LESSONS = [
  ["x-too-high", "Too high looks like"],
  ["x-too-low", "Too low looks like"],
  ["x-usual", "Usual"],
  ["x-when", "Use"],
] as const;

/** The schema's label; without one the name itself, readable. */
function titleOf(name: string, property: Schema): string {
  return typeof property.title === "string" ? property.title : readableName(name);
}

/** total_timesteps → "Total timesteps". */
export function readableName(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields that matter for an environment with this kind of actions; all of them while it is unknown. */
export const fieldsFor = (fields: readonly Field[], actions: string | undefined): Field[] =>
  fields.filter((field) => !field.actions || !actions || actions === "other" || field.actions === actions);

function resolved(schema: Schema, root: Schema): Schema {
  const reference = schema.$ref;
  if (typeof reference !== "string") return schema;
  const name = reference.split("/").at(-1)!;
  return ((root.$defs ?? {}) as Record<string, Schema>)[name] ?? schema;
}

function choicesOf(shape: Schema): string[] {
  if (Array.isArray(shape.enum)) return shape.enum.map(String);
  return shape.const === undefined ? [] : [String(shape.const)];
}

function kindOf(shape: Schema, choices: string[]): FieldKind {
  if (choices.length > 0) return "choice";
  if (shape.type === "array") return itemsOf(shape).type === "number" ? "numbers" : "integers";
  const known: FieldKind[] = ["integer", "number", "boolean"];
  return known.find((kind) => kind === shape.type) ?? "text";
}

const itemsOf = (shape: Schema): Schema => (shape.items ?? {}) as Schema;

const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
