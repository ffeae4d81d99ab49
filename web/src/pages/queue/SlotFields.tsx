/** How many trainings and jobs run at the same time: a number each, sent when the field is left. */
import { useId, useState } from "react";
import type { QueueState, SlotsChange } from "@/api/types";
import { useSetSlots } from "@/entities/queue/use-set-slots";
import { parseCountUpTo } from "@/lib/count";
import { toast } from "@/ui/toasts";

interface SlotKind {
  name: keyof SlotsChange;
  title: string;
}

const KINDS: readonly SlotKind[] = [
  { name: "training_slots", title: "Trainings at once" },
  { name: "job_slots", title: "Evaluations and other jobs at once" },
];

export function SlotFields({ queue }: { queue: QueueState }) {
  return (
    <section aria-label="Slots" className="flex flex-wrap gap-x-8 gap-y-4">
      {KINDS.map((kind) => (
        // A number changed elsewhere replaces the text in the field.
        <SlotField key={`${kind.name} ${queue[kind.name]}`} kind={kind} queue={queue} />
      ))}
    </section>
  );
}

function SlotField({ kind, queue }: { kind: SlotKind; queue: QueueState }) {
  const id = useId();
  const now = queue[kind.name];
  const [text, setText] = useState(String(now));
  const save = useSetSlots((next) => toast(`${kind.title}: ${next[kind.name]}. It applies at once.`));
  const typed = text.trim();
  const { value, problem } = parseCountUpTo(typed, queue.max_slots);
  const commit = () => {
    if (problem || typed === String(now)) return;
    if (typed === "") setText(String(queue[`default_${kind.name}`]));
    save.mutate({ [kind.name]: value });
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="label text-ink-3">
        {kind.title}
      </label>
      <input
        id={id}
        value={text}
        inputMode="numeric"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
        className="figures h-9 w-24 rounded-sm border border-line-strong bg-surface px-3 text-sm aria-invalid:border-warn"
      />
      <p id={`${id}-note`} role={problem ? "alert" : undefined} className="text-xs text-ink-3">
        {problem ?? `Default ${queue[`default_${kind.name}`]}; leave empty to use it.`}
      </p>
    </div>
  );
}
