/** How much is kept: a number each, sent when the field is left. */

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { RetentionState } from "@/api/types";
import { retentionQuery } from "@/entities/space/queries";
import { useSetRetention } from "@/entities/space/use-set-retention";
import { ErrorState, Loading } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { KNOBS, type Knob, knobText, parseKnob } from "./knobs";

export function RetentionKnobs() {
  const retention = useQuery(retentionQuery);
  if (retention.isPending) return <Loading lines={2} />;
  if (retention.isError)
    return <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />;
  return (
    <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      {KNOBS.map((knob) => (
        // A value changed elsewhere replaces the text in the field.
        <KnobField
          key={`${knob.name} ${retention.data.value[knob.name]}`}
          knob={knob}
          state={retention.data}
        />
      ))}
    </div>
  );
}

function KnobField({ knob, state }: { knob: Knob; state: RetentionState }) {
  const id = useId();
  const now = knobText(knob, state.value[knob.name]);
  const [text, setText] = useState(now);
  const save = useSetRetention((next) => toast(`${knob.title}: ${knobText(knob, next.value[knob.name])}.`));
  const { value, problem } = parseKnob(knob, text);
  const commit = () => {
    if (problem || text.trim() === now) return;
    save.mutate({ [knob.name]: value });
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="label text-ink-3">
        {knob.title}
      </label>
      <input
        id={id}
        value={text}
        inputMode={knob.isBytes ? "text" : "numeric"}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
        className="figures h-9 w-full rounded-sm border border-line-strong bg-surface px-3 text-xs aria-invalid:border-warn"
      />
      <p id={`${id}-note`} role={problem ? "alert" : undefined} className="text-xs text-ink-3">
        {problem ?? `Default ${knobText(knob, state.default[knob.name])}; leave empty to use it.`}
      </p>
    </div>
  );
}
