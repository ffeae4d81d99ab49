/** The episodes of a version that fulfil conditions, as a new version; what is left is counted beforehand. */
import { useState } from "react";
import type { DatasetOperation } from "@/api/types";
import type { Range } from "@/charts/histograms/brush";
import { HistogramBrush } from "@/charts/histograms/HistogramBrush";
import { spell } from "@/entities/datasets/words";
import { formatCount } from "@/lib/format";
import { nameProblem } from "@/panels/name-model/draft";
import { JobForm } from "@/panels/new-dataset/JobForm";
import { numberOf, numberProblem } from "@/panels/new-dataset/numbers";
import { TextField } from "@/panels/text-field/TextField";
import { SwitchRow } from "@/ui/SwitchRow";
import type { OwnFormProps } from "./SplitForm";

export function PruneForm({ version, onClose }: OwnFormProps) {
  const { statistics } = version;
  const [name, setName] = useState(version.name);
  const [range, setRange] = useState<Range>({});
  const [shortest, setShortest] = useState("");
  const [best, setBest] = useState("");
  const [dropsDuplicates, setDropsDuplicates] = useState((statistics?.duplicates ?? 0) > 0);
  const [dropsNotFinite, setDropsNotFinite] = useState(hasNotFinite(statistics?.not_finite));
  const operation: DatasetOperation = {
    do: "prune",
    of: { name: version.name, version: version.version },
    name: name.trim(),
    return_min: range.low ?? null,
    return_max: range.high ?? null,
    length_min: numberOf(shortest),
    best: numberOf(best),
    drop_duplicates: dropsDuplicates,
    drop_not_finite: dropsNotFinite,
  };
  const wrong = [shortest, best].map((text) => numberProblem(text, "count")).find(Boolean) ?? null;
  const reason = !name.trim() ? "Type a name first." : (nameProblem(name) ?? wrong);
  return (
    <JobForm
      operation={reason ? null : operation}
      reason={reason}
      submit="Prune"
      hasForecast
      onCancel={onClose}
      onStarted={onClose}
    >
      {(problems) => (
        <>
          <p className="text-xs text-ink-2">
            {`${spell(version)} stays as it is: what is left becomes a new version.`}
          </p>
          <TextField
            label="Dataset that gets the new version"
            value={name}
            problem={nameProblem(name) ?? problems.name}
            onChange={setName}
          />
          {statistics && statistics.returns.counts.length > 1 && (
            <div>
              <p className="mb-1 text-xs">Return: drag over the bars to keep</p>
              <HistogramBrush title="Return" bars={statistics.returns} range={range} onRange={setRange} />
            </div>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Shortest length"
              value={shortest}
              placeholder="any"
              problem={numberProblem(shortest, "count") ?? problems.length_min}
              onChange={setShortest}
            />
            <TextField
              label="Only the best, by return"
              value={best}
              placeholder="all"
              problem={numberProblem(best, "count") ?? problems.best}
              onChange={setBest}
            />
          </div>
          <SwitchRow
            title={`Drop duplicates (${formatCount(statistics?.duplicates ?? 0)})`}
            checked={dropsDuplicates}
            onChange={setDropsDuplicates}
          />
          <SwitchRow
            title="Drop episodes with NaN or infinite numbers"
            checked={dropsNotFinite}
            onChange={setDropsNotFinite}
          />
        </>
      )}
    </JobForm>
  );
}

const hasNotFinite = (counts: Record<string, number> = {}): boolean =>
  Object.values(counts).some((count) => count > 0);
