/** What verdicts and statistics are about, and by which protocol the evaluations were made that they take. */
import type { Comparison } from "@/api/types";
import { formatPlural } from "@/lib/format";
import { Select } from "@/ui/Select";

/** As a link carries it; without a measure it is the usual one. */
export interface MeasureChoice {
  measure?: string | undefined;
  /** The hash of the protocol. */
  protocol?: string | undefined;
}

export interface MeasureSelectsProps {
  comparison: Comparison;
  /** The measure that a link need not name. */
  usual: string;
  onChoose: (change: MeasureChoice) => void;
}

export function MeasureSelects({ comparison, usual, onChoose }: MeasureSelectsProps) {
  const { measures, measure, protocols } = comparison;
  return (
    <>
      <div className="w-72 max-w-full">
        <Select
          label="Measure"
          value={measure}
          options={Object.entries(measures).map(([value, title]) => ({ value, title: capital(title) }))}
          onChange={(next) => onChoose({ measure: next === usual ? undefined : next })}
        />
      </div>
      {protocols.length > 1 && (
        <div className="w-72 max-w-full">
          <Select
            label="Evaluations by"
            value={protocols[0]?.sha256 ?? ""}
            options={protocols.map(({ sha256, text, runs }) => ({
              value: sha256,
              title: `${capital(text)} (${formatPlural(runs, "run")})`,
            }))}
            onChange={(protocol) => onChoose({ protocol })}
          />
        </div>
      )}
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
