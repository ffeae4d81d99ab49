/** The wrappers around an environment, in their order: the first is next to it. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { wrappersQuery } from "@/entities/environments/queries";
import { Select } from "@/ui/Select";
import { LoadFailed, TextWithCode } from "@/ui/states";
import { ChosenWrapper } from "./ChosenWrapper";
import { changed, type Errors, errorsOfWhole, moved, type Wrapper, without } from "./chosen";

export interface WrapperListProps {
  wrappers: readonly Wrapper[];
  /** The server's messages, by field: env_kwargs.wrappers.0.steps. */
  errors: Errors;
  onChange: (wrappers: Wrapper[]) => void;
}

export function WrapperList({ wrappers, errors, onChange }: WrapperListProps) {
  const known = useQuery(wrappersQuery);
  const addId = useId();
  const remove = (place: number) => {
    onChange(without(wrappers, place));
    // The button that had the focus is removed with its wrapper.
    document.getElementById(addId)?.focus();
  };
  return (
    <div className="flex flex-col gap-3">
      {errorsOfWhole(errors, wrappers).map((message) => (
        <p key={message} role="alert" className="text-xs text-warn">
          <TextWithCode text={message} />
        </p>
      ))}
      {wrappers.length > 0 && (
        <ol aria-label="Wrappers, the first next to the environment" className="flex flex-col gap-3">
          {wrappers.map((wrapper, place) => (
            <ChosenWrapper
              key={`${place} ${wrapper.id}`}
              wrapper={wrapper}
              info={known.data?.find(({ id }) => id === wrapper.id)}
              errors={errors}
              place={place}
              isLast={place === wrappers.length - 1}
              onMove={(by) => onChange(moved(wrappers, place, by))}
              onRemove={() => remove(place)}
              onChange={(values) => onChange(changed(wrappers, place, values))}
            />
          ))}
        </ol>
      )}
      {known.isError && (
        <LoadFailed what="wrappers" error={known.error} onRetry={() => void known.refetch()} />
      )}
      <Select
        id={addId}
        label="Add a wrapper"
        value=""
        options={[
          { value: "", title: wrappers.length > 0 ? "Add another wrapper…" : "Add a wrapper…" },
          ...(known.data ?? []).map(({ id, title }) => ({ value: id, title })),
        ]}
        onChange={(id) => id && onChange([...wrappers, { id }])}
      />
    </div>
  );
}
