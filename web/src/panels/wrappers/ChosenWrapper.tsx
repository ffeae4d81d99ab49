/** One wrapper of the list: its fields, its place, and what the server said about it. */
import { useMemo } from "react";
import type { WrapperInfo } from "@/api/types";
import { fieldsOf, type Values } from "@/schema-form/fields";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { IconButton } from "@/ui/Button";
import { HelpTip } from "@/ui/HelpTip";
import { TextWithCode } from "@/ui/states";
import { CustomCode } from "./CustomCode";
import { type Errors, errorsAt, type Wrapper } from "./chosen";
import { CODE, isCustom, otherFields } from "./custom";

export interface ChosenWrapperProps {
  wrapper: Wrapper;
  /** Undefined while the list of wrappers is not loaded, or where it does not have this one. */
  info: WrapperInfo | undefined;
  errors: Errors;
  place: number;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onChange: (values: Values) => void;
}

export function ChosenWrapper(props: ChosenWrapperProps) {
  const { wrapper, info, errors, place, isLast, onMove, onRemove, onChange } = props;
  const title = info?.title ?? wrapper.id;
  const { id: _, [CODE]: code, ...values } = wrapper;
  const schema = useMemo(() => (info ? otherFields(info) : null), [info]);
  const names = schema
    ? [...fieldsOf(schema).map(({ name }) => name), ...(isCustom(wrapper) ? [CODE] : [])]
    : [];
  const messages = errorsAt(errors, place, names);
  return (
    <li className="rounded-sm border p-3">
      <div className="flex items-center gap-1 text-sm font-medium">
        <span className="mr-auto flex items-center gap-1">
          {title}
          {info && <HelpTip label={`About ${title}`}>{info.description}</HelpTip>}
        </span>
        {place > 0 && (
          <IconButton icon="up" label={`Move ${title} towards the environment`} onClick={() => onMove(-1)} />
        )}
        {!isLast && (
          <IconButton
            icon="down"
            label={`Move ${title} away from the environment`}
            onClick={() => onMove(1)}
          />
        )}
        <IconButton icon="close" label={`Remove ${title}`} onClick={onRemove} />
      </div>
      {isCustom(wrapper) && (
        <CustomCode
          value={String(code ?? "")}
          error={messages.fields[CODE]?.message}
          onChange={(next) => onChange({ ...values, [CODE]: next })}
        />
      )}
      {schema && fieldsOf(schema).length > 0 && (
        <div className="mt-2">
          <SchemaForm
            schema={schema}
            values={values}
            errors={messages.fields}
            onChange={(next) => onChange(isCustom(wrapper) ? { ...next, [CODE]: code } : next)}
          />
        </div>
      )}
      {messages.whole.map((message) => (
        <p key={message} role="alert" className="mt-1 text-xs text-warn">
          <TextWithCode text={message} />
        </p>
      ))}
    </li>
  );
}
