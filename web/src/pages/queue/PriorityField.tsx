/** The priority of a waiting run: a number, sent when the field is left. */
import { useState } from "react";
import type { WaitingEntry } from "@/api/types";
import { useSetPriority } from "@/entities/queue/use-steer-queue";
import { toast } from "@/ui/toasts";

const MAX = 100;

export function PriorityField({ entry }: { entry: WaitingEntry }) {
  const [text, setText] = useState(String(entry.priority));
  const save = useSetPriority();
  const typed = Number(text.trim().replace("−", "-"));
  const isWrong = text.trim() === "" || !Number.isInteger(typed) || Math.abs(typed) > MAX;
  const commit = () => {
    if (isWrong) {
      toast(`A priority is a whole number from −${MAX} to ${MAX}; higher ones start first.`);
      setText(String(entry.priority));
    } else if (typed !== entry.priority) save.mutate({ runId: entry.run_id, priority: typed });
  };
  return (
    <label className="flex items-center gap-1.5 text-xs text-ink-3">
      Priority
      <input
        value={text}
        inputMode="numeric"
        aria-label={`Priority of ${entry.name}`}
        aria-invalid={isWrong ? true : undefined}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        className="figures h-7 w-12 rounded-sm border border-line-strong bg-surface px-2 text-sm text-ink aria-invalid:border-warn"
      />
    </label>
  );
}
