/** The keys of one action or of one side of an axis; a click waits for others. */
import { useEffect, useRef, useState } from "react";
import { keyLabel } from "@/entities/plays/controls";
import { cx } from "@/ui/cx";
import { captureKeys } from "./capture";
import { KeyCaps } from "./KeyCap";

export interface KeyChoiceProps {
  /** What the keys do, for screen readers. */
  label: string;
  keys: readonly string[];
  onKeys: (keys: string[]) => void;
}

export function KeyChoice({ label, keys, onKeys }: KeyChoiceProps) {
  const [isWaiting, setWaiting] = useState(false);
  const latest = useRef(onKeys);
  latest.current = onKeys;
  useEffect(() => {
    if (!isWaiting) return;
    return captureKeys({
      onKeys(codes) {
        setWaiting(false);
        latest.current(codes);
      },
      onCancel: () => setWaiting(false),
    });
  }, [isWaiting]);
  const names = keys.map(keyLabel).join(" + ") || "none";
  return (
    <button
      type="button"
      aria-label={isWaiting ? `Press the keys for ${label}, Escape to cancel` : `Keys for ${label}: ${names}`}
      aria-pressed={isWaiting}
      onClick={() => setWaiting((before) => !before)}
      className={cx(
        "inline-flex h-8 min-w-28 items-center justify-center gap-1 rounded-sm border px-2 text-xs",
        isWaiting ? "border-focus bg-select" : "border-line-strong hover:bg-sunken",
      )}
    >
      {isWaiting ? "Press keys…" : keys.length > 0 ? <KeyCaps codes={keys} /> : "Choose keys"}
    </button>
  );
}
