/** The wrappers of a protocol: those of the run, or others in their place. */
import type { Errors, Wrapper } from "@/panels/wrappers/chosen";
import { WrapperList } from "@/panels/wrappers/WrapperList";
import { SwitchRow } from "@/ui/SwitchRow";

export interface ProtocolWrappersProps {
  /** Null: those of the run. */
  wrappers: readonly Wrapper[] | null;
  errors: Errors;
  onChange: (wrappers: readonly Wrapper[] | null) => void;
}

export function ProtocolWrappers({ wrappers, errors, onChange }: ProtocolWrappersProps) {
  return (
    <div className="flex flex-col gap-3">
      <SwitchRow
        title="Other wrappers than those of the run"
        checked={wrappers !== null}
        onChange={(isOwn) => onChange(isOwn ? [] : null)}
      />
      {wrappers && <WrapperList wrappers={wrappers} errors={errors} onChange={onChange} />}
      {wrappers?.length === 0 && (
        <p className="text-xs text-ink-2">Without any, the environment is evaluated as it is.</p>
      )}
    </div>
  );
}
