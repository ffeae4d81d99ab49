/** Before a play: a picture of the environment, its keys, the seed, and the button that starts it. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { Thumbnail } from "@/entities/environments/Thumbnail";
import { isSteered } from "@/entities/plays/controls";
import { controlsQuery } from "@/entities/plays/queries";
import { useStartPlay } from "@/entities/plays/use-start-play";
import { MODES, type Mode } from "@/entities/plays/words";
import { formatCount } from "@/lib/format";
import { INPUT } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";
import { ControlsButton } from "./ControlsButton";
import { KeyLegend } from "./KeyLegend";
import { MouseSwitch, useMouse } from "./MouseSwitch";
import { type PlaySearch, playOf, policyOf } from "./search";
import { isSeedText, SEED_PROBLEM } from "./seed";

export interface StartPanelProps {
  envId: string;
  mode: Mode;
  search: PlaySearch;
  onMode: (mode: Mode) => void;
}

export function StartPanel({ envId, mode, search, onMode }: StartPanelProps) {
  const navigate = useNavigate();
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === envId);
  const controls = useQuery(controlsQuery(envId));
  const [seed, setSeed] = useState(search.seed === undefined ? "" : String(search.seed));
  const start = useStartPlay((run) => void navigate({ to: "/play/$runId", params: { runId: run.id } }));
  const policy = policyOf(search);
  const [isMouseOn, setMouseOn] = useMouse();
  // Hybrid helps only where single numbers can be taken over.
  const instead = controls.data && isSteered(controls.data) ? "hybrid" : "agent";
  const isRefused = mode === "human" || (mode === "hybrid" && instead === "agent");
  const problem = isRefused ? controls.data?.problem : "";
  const isSeed = seed.trim() === "" || isSeedText(seed);
  const begin = () =>
    start.mutate(playOf(envId, mode, { ...search, seed: seed.trim() === "" ? undefined : Number(seed) }));
  return (
    <div className="grid gap-5 p-4 md:grid-cols-[18rem_minmax(0,1fr)]">
      <Thumbnail
        key={envId}
        envId={envId}
        isDrawn={environment?.available}
        className="aspect-3/2 w-full max-w-80 self-start rounded-sm border"
      />
      <div className="flex min-w-0 flex-col gap-5 text-sm">
        {environment?.description && <p className="text-ink-2">{environment.description}</p>}
        {search.from && (
          <p>{`Takes over episode ${formatCount(search.episode)} of run ${search.from} at step ${formatCount(search.step ?? 0)}.`}</p>
        )}
        {controls.isPending && <Loading lines={2} label="Looking for the keys of this environment" />}
        {controls.isError && <ErrorState error={controls.error} onRetry={() => void controls.refetch()} />}
        {problem ? (
          <div role="alert" className="flex flex-col items-start gap-2 rounded-sm border border-warn p-3">
            <p>{problem}</p>
            <Button small onClick={() => onMode(instead)}>
              {`Switch to ${MODES[instead].title}`}
            </Button>
          </div>
        ) : (
          controls.data && <KeyLegend controls={controls.data} mode={mode} isMouseOn={isMouseOn} />
        )}
        <form
          className="flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            begin();
          }}
        >
          <label className="flex w-36 flex-col gap-1 text-xs">
            Seed
            <input
              inputMode="numeric"
              placeholder="drawn"
              value={seed}
              disabled={search.from !== undefined}
              aria-invalid={!isSeed}
              onChange={(event) => setSeed(event.target.value)}
              className={INPUT}
            />
          </label>
          <Button
            type="submit"
            kind="primary"
            icon="play"
            autoFocus
            disabled={start.isPending}
            reason={whyNot(mode, isSeed, policy !== null, problem)}
          >
            {start.isPending ? "Starting…" : "Play"}
          </Button>
          {controls.data && <MouseSwitch controls={controls.data} isOn={isMouseOn} onChange={setMouseOn} />}
          {controls.data && (
            <ControlsButton
              envId={envId}
              controls={controls.data}
              actionNames={environment?.action_names ?? []}
            />
          )}
        </form>
      </div>
    </div>
  );
}

function whyNot(mode: Mode, isSeed: boolean, hasPolicy: boolean, problem: string | undefined): string | null {
  if (!isSeed) return SEED_PROBLEM;
  if (mode === "hybrid" && !hasPolicy) return "Choose the model that acts while you hold no key.";
  return problem || null;
}
