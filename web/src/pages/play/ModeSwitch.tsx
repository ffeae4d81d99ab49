/** Human, Hybrid or Agent. */
import { MODES, type Mode } from "@/entities/plays/words";
import { keysOf } from "@/lib/keys-of";
import { cx } from "@/ui/cx";

export interface ModeSwitchProps {
  value: Mode;
  onChange: (mode: Mode) => void;
  isDisabled?: boolean;
}

export function ModeSwitch({ value, onChange, isDisabled }: ModeSwitchProps) {
  return (
    <fieldset
      disabled={isDisabled}
      className="inline-flex rounded-sm border border-line-strong bg-surface p-0.5"
    >
      <legend className="sr-only">Who acts</legend>
      {keysOf(MODES).map((mode) => (
        <button
          key={mode}
          type="button"
          aria-pressed={mode === value}
          title={MODES[mode].help}
          onClick={() => onChange(mode)}
          className={cx(
            "h-8 rounded-sm px-3.5 text-sm font-medium",
            mode === value ? "bg-ink text-on-ink" : "text-ink-2 hover:bg-sunken hover:text-ink",
          )}
        >
          {MODES[mode].title}
        </button>
      ))}
    </fieldset>
  );
}
