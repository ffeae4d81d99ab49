/** TRAIN LONGER: how much more, and what that does to the end of the run and to its schedules, before it starts. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Run } from "@/api/types";
import { longerQuery, useLonger } from "@/entities/continuing/use-longer";
import { speedQuery } from "@/entities/runners/speed";
import { trainConfigOf } from "@/entities/runs/words";
import { formatCount } from "@/lib/format";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Select } from "@/ui/Select";
import { SwitchRow } from "@/ui/SwitchRow";
import { ProblemNote } from "@/ui/states";
import { longerDialog } from "./dialog";
import { longerOf, timeText, type Unit, unitsOf } from "./longer";

const NOTHING = { inexact: false };
const close = () => longerDialog.set(null);

export default function TrainLonger() {
  const run = useStore(longerDialog);
  return (
    <Dialog open={run !== null} onOpenChange={close} title="Train longer">
      {run && <LongerForm key={run.id} run={run} />}
    </Dialog>
  );
}

function LongerForm({ run }: { run: Run }) {
  const id = useId();
  const config = trainConfigOf(run);
  const [typed, setTyped] = useState(() => String(config?.total_timesteps || 100_000));
  const [unit, setUnit] = useState<Unit>("steps");
  const [inexact, setInexact] = useState(false);
  const longer = longerOf(typed, unit, inexact);
  const preview = useQuery({ ...longerQuery(run.id, longer ?? NOTHING), enabled: longer !== null });
  const speed = useQuery(
    speedQuery(config?.env_id ?? "", config?.runner ?? "", config?.algorithm ?? ""),
  ).data;
  const ask = useLonger(run.id);
  return (
    <form
      className="flex flex-col gap-4 p-5 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (longer) ask.mutate(longer, { onSuccess: close });
      }}
    >
      <p className="break-words text-ink-2">{run.name}</p>
      <div className="flex items-end gap-3">
        <label htmlFor={id} className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="text-xs">How much more</span>
          <input
            id={id}
            value={typed}
            inputMode="decimal"
            aria-invalid={longer === null || undefined}
            aria-describedby={`${id}-what`}
            onChange={(event) => setTyped(event.target.value)}
            className="figures h-9 w-full rounded-sm border border-line-strong bg-surface px-2 aria-invalid:border-warn"
          />
        </label>
        <div className="w-32 shrink-0">
          <Select label="Unit" value={unit} options={unitsOf(run.progress.unit)} onChange={setUnit} />
        </div>
      </div>
      <div id={`${id}-what`} aria-live="polite" className="flex min-h-24 flex-col gap-2">
        {longer === null && <p className="text-warn">Type a whole number above 0.</p>}
        {longer && preview.data && (
          <>
            <p>
              {`Continues from its checkpoint at ${run.progress.unit} ${formatCount(preview.data.at)} and ends ${preview.data.ends}. `}
              {timeText(longer, speed, run.progress.unit)}
            </p>
            <p className="text-ink-2">{preview.data.schedules}</p>
          </>
        )}
        <ProblemNote error={longer ? (ask.error ?? preview.error) : null} />
        {(preview.isError || inexact) && (
          <SwitchRow title="Continue even if not exact" checked={inexact} onChange={setInexact} />
        )}
      </div>
      <div className="flex justify-end gap-3 border-t pt-4">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" icon="play" type="submit" disabled={!longer || !preview.data || ask.isPending}>
          Train longer
        </Button>
      </div>
    </form>
  );
}
