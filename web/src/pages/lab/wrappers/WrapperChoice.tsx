/** The wrappers around the environment, in their order: the first is next to it. */
import { useQuery } from "@tanstack/react-query";
import type { FieldError, WrapperInfo } from "@/api/types";
import { wrappersQuery } from "@/entities/environments/queries";
import type { TrainingFormProps } from "@/pages/lab/configure/form-props";
import { fieldsOf, type Values } from "@/schema-form/fields";
import { SchemaForm } from "@/schema-form/SchemaForm";
import { IconButton } from "@/ui/Button";
import { HelpTip } from "@/ui/HelpTip";
import { Select } from "@/ui/Select";
import {
  changed,
  errorsAt,
  moved,
  otherArguments,
  type Wrapper,
  without,
  withWrappers,
  wrappersOf,
} from "./chosen";

export default function WrapperChoice({ state, draft, errors }: TrainingFormProps) {
  const known = useQuery(wrappersQuery).data ?? [];
  const chosen = wrappersOf(draft.envKwargs);
  const set = (wrappers: Wrapper[]) => state.setEnvKwargs(withWrappers(draft.envKwargs, wrappers));
  const others = otherArguments(draft.envKwargs);
  return (
    <div className="flex flex-col gap-3">
      {others.length > 0 && <p className="text-xs text-ink-2">{`Environment: ${others.join(", ")}`}</p>}
      {chosen.length > 0 && (
        <ol aria-label="Wrappers, the first next to the environment" className="flex flex-col gap-3">
          {chosen.map((wrapper, place) => (
            <Chosen
              key={`${place} ${wrapper.id}`}
              wrapper={wrapper}
              info={known.find(({ id }) => id === wrapper.id)}
              errors={errorsAt(errors, place)}
              isFirst={place === 0}
              isLast={place === chosen.length - 1}
              onMove={(by) => set(moved(chosen, place, by))}
              onRemove={() => set(without(chosen, place))}
              onChange={(values) => set(changed(chosen, place, values))}
            />
          ))}
        </ol>
      )}
      <Select
        label="Add a wrapper"
        value=""
        options={[
          { value: "", title: chosen.length > 0 ? "Add another wrapper…" : "Add a wrapper…" },
          ...known.map(({ id, title }) => ({ value: id, title })),
        ]}
        onChange={(id) => id && set([...chosen, { id }])}
      />
    </div>
  );
}

interface ChosenProps {
  wrapper: Wrapper;
  info: WrapperInfo | undefined;
  errors: { whole: FieldError | undefined; fields: Record<string, FieldError> };
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onChange: (values: Values) => void;
}

function Chosen({ wrapper, info, errors, isFirst, isLast, onMove, onRemove, onChange }: ChosenProps) {
  const title = info?.title ?? wrapper.id;
  const { id: _, ...values } = wrapper;
  return (
    <li className="rounded-sm border p-3">
      <div className="flex items-center gap-1 text-sm font-medium">
        <span className="mr-auto flex items-center gap-1">
          {title}
          {info && <HelpTip label={`About ${title}`}>{info.description}</HelpTip>}
        </span>
        {!isFirst && (
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
      {info && fieldsOf(info.params_schema).length > 0 && (
        <div className="mt-2">
          <SchemaForm
            schema={info.params_schema}
            values={values}
            errors={errors.fields}
            onChange={onChange}
          />
        </div>
      )}
      {errors.whole && (
        <p role="alert" className="mt-1 text-xs text-warn">
          {errors.whole.message}
        </p>
      )}
    </li>
  );
}
