/** Some episodes of a version in one dataset, the others in a second one. */
import { useState } from "react";
import type { DatasetOperation, DatasetVersion } from "@/api/types";
import { formatCount, formatPercent } from "@/lib/format";
import { nameProblem } from "@/panels/name-model/draft";
import { JobForm } from "@/panels/new-dataset/JobForm";
import { TextField } from "@/panels/text-field/TextField";
import { Slider } from "@/ui/Slider";

export interface OwnFormProps {
  version: DatasetVersion;
  onClose: () => void;
}

export function SplitForm({ version, onClose }: OwnFormProps) {
  const [share, setShare] = useState(0.9);
  const [name, setName] = useState(`${version.name}-train`);
  const [rest, setRest] = useState(`${version.name}-test`);
  const [seed, setSeed] = useState("0");
  const first = Math.round(version.episodes * share);
  const operation: DatasetOperation = {
    do: "split",
    of: { name: version.name, version: version.version },
    name: name.trim(),
    rest: rest.trim(),
    share,
    seed: Number(seed) || 0,
  };
  return (
    <JobForm
      operation={operation}
      reason={whyNot(version, name, rest)}
      submit="Split"
      onCancel={onClose}
      onStarted={onClose}
    >
      {(problems) => (
        <>
          <div className="text-sm">
            <p className="flex justify-between">
              <span>Share of the first</span>
              <span className="figures text-ink-2">
                {`${formatPercent(share)}: ${formatCount(first)} and ${formatCount(version.episodes - first)} episodes`}
              </span>
            </p>
            <Slider
              label="Share of the first"
              value={share}
              min={0.05}
              max={0.95}
              step={0.05}
              onChange={setShare}
            />
          </div>
          <TextField
            label="First dataset"
            value={name}
            problem={nameProblem(name) ?? problems.name}
            onChange={setName}
          />
          <TextField
            label="Second dataset"
            value={rest}
            problem={nameProblem(rest) ?? problems.rest}
            onChange={setRest}
          />
          <TextField
            label="Seed of the draw"
            value={seed}
            problem={problems.seed}
            onChange={(text) => setSeed(text.replace(/\D/g, ""))}
          />
        </>
      )}
    </JobForm>
  );
}

function whyNot({ episodes }: DatasetVersion, name: string, rest: string): string | null {
  if (episodes < 2) return "A single episode cannot be split.";
  if (!name.trim() || !rest.trim()) return "Both parts need a name.";
  if (name.trim().toLowerCase() === rest.trim().toLowerCase()) return "The two parts need different names.";
  return nameProblem(name) ?? nameProblem(rest);
}
