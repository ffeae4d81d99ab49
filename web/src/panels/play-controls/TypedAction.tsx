/** An action that has no key is typed by its number: one step for each. */
import { useState } from "react";
import type { Controls } from "@/entities/plays/controls";
import { formatCount } from "@/lib/format";
import { INPUT } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";

export interface TypedActionProps {
  range: Controls["entries"][number];
  onAct: (action: number) => void;
  isBlocked?: boolean;
}

export function TypedAction({ range: { low, high }, onAct, isBlocked }: TypedActionProps) {
  const [text, setText] = useState("");
  const action = /^-?\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const isFitting = action !== null && action >= low && action <= high;
  const bounds = `${formatCount(low)} to ${formatCount(high)}`;
  return (
    <form
      className="flex items-end gap-2 text-xs"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFitting && !isBlocked) onAct(action);
      }}
    >
      <label className="flex w-40 flex-col gap-1">
        {`Number of an action, ${bounds}`}
        <input
          inputMode="numeric"
          value={text}
          aria-invalid={text.trim() !== "" && !isFitting}
          onChange={(event) => setText(event.target.value)}
          className={INPUT}
        />
      </label>
      <Button
        type="submit"
        icon="step"
        disabled={isBlocked}
        reason={isFitting ? null : `Type a whole number from ${bounds}.`}
      >
        Act
      </Button>
    </form>
  );
}
