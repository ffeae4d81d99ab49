/** A key of the keyboard. */
import { keyLabel } from "@/entities/plays/controls";

export const KeyCap = ({ code }: { code: string }) => (
  <kbd className="figures inline-block min-w-6 rounded-sm border border-line-strong bg-sunken px-1.5 text-center text-xs text-ink">
    {keyLabel(code)}
  </kbd>
);

export const KeyCaps = ({ codes }: { codes: readonly string[] }) => (
  <span className="inline-flex flex-wrap items-center gap-1">
    {codes.map((code) => (
      <KeyCap key={code} code={code} />
    ))}
  </span>
);
