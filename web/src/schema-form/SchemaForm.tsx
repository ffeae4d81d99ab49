/** A form built from a JSON Schema: groups, advanced fields folded away, help and reset for every field. */
import { useMemo } from "react";
import type { FieldError } from "@/api/types";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { FieldRow } from "./FieldRow";
import { defaultsOf, fieldsFor, fieldsOf, groupsOf, hasHeading, type Schema, type Values } from "./fields";
import { changesFrom } from "./values";

export interface SchemaFormProps {
  schema: Schema;
  values: Values;
  onChange: (values: Values) => void;
  /** What "reset" goes back to: the preset's values; the schema's own defaults when absent. */
  base?: Values;
  /** The server's error messages, by field name. */
  errors?: Record<string, FieldError>;
  /** The environment's kind of actions: fields that do not matter for it are left out. */
  actions?: string;
}

export function SchemaForm({ schema, values, onChange, base, errors = {}, actions }: SchemaFormProps) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const start = useMemo(() => ({ ...defaultsOf(fields), ...base }), [fields, base]);
  const current = { ...start, ...values };
  const changed = changesFrom(start, current);
  const groups = groupsOf(fieldsFor(fields, actions));
  const rows = (advanced: boolean, members: typeof fields) =>
    members
      .filter((field) => field.isAdvanced === advanced)
      .map((field) => (
        <FieldRow
          key={field.name}
          field={field}
          value={current[field.name]}
          isChanged={field.name in changed}
          error={errors[field.name]}
          onChange={(value) => onChange({ ...current, [field.name]: value })}
          onReset={() => onChange({ ...current, [field.name]: start[field.name] })}
        />
      ));

  return (
    <div className="flex flex-col gap-6">
      {groups.map((group) => {
        const advanced = group.fields.filter((field) => field.isAdvanced);
        // A folded field must not hide that it is wrong or changed.
        const mustShow = advanced.some((field) => field.name in errors || field.name in changed);
        const isFolded = advanced.length === group.fields.length;
        return (
          <fieldset key={group.title} className="min-w-0">
            {hasHeading(group, groups) && <legend className="label mb-3 text-ink-3">{group.title}</legend>}
            {!isFolded && <div className="flex flex-col gap-4">{rows(false, group.fields)}</div>}
            {advanced.length > 0 && (
              <details open={mustShow || undefined} className={cx(!isFolded && "mt-3")}>
                <summary className="text-xs text-ink-3 hover:text-ink">
                  {isFolded ? `Show ${advanced.length}` : `${advanced.length} more`}
                </summary>
                <div className="mt-3 flex flex-col gap-4">{rows(true, group.fields)}</div>
              </details>
            )}
          </fieldset>
        );
      })}
      {Object.keys(changed).length > 0 && (
        <Button small kind="quiet" icon="reset" className="self-start" onClick={() => onChange(start)}>
          Reset {Object.keys(changed).length} changed
        </Button>
      )}
    </div>
  );
}
