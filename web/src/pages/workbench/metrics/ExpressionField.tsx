/** An expression to type. What is wrong with it is shown below, with a caret at its column. */
import { useId } from "react";
import { INPUT } from "@/panels/text-field/TextField";

export interface ExpressionFault {
  /** The expression as the lab has read it: the column counts in this text. */
  text: string;
  column: number;
  message: string;
}

export interface ExpressionFieldProps {
  value: string;
  fault: ExpressionFault | null;
  onChange: (value: string) => void;
}

export function ExpressionField({ value, fault, onChange }: ExpressionFieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-xs">
        Expression
      </label>
      <input
        id={id}
        value={value}
        spellCheck={false}
        autoComplete="off"
        placeholder="return / length"
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => onChange(event.target.value)}
        className={`${INPUT} mt-1 font-mono`}
      />
      <div id={`${id}-fault`} role={fault ? "alert" : undefined}>
        {fault && (
          <>
            <pre aria-hidden className="mt-2 overflow-x-auto font-mono text-xs text-warn">
              {`${fault.text}\n${" ".repeat(fault.column)}^`}
            </pre>
            <p className="text-xs text-warn">{fault.message}</p>
          </>
        )}
      </div>
    </div>
  );
}
