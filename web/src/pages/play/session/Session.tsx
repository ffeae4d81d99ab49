/** A play that goes on: picture, controls, numbers, and what was played so far. */
import { type MouseEvent as ReactMouseEvent, type ReactNode, useEffect, useRef } from "react";
import type { PlayHeader, Run, StageProblem } from "@/api/types";
import { type Controls, labelOf } from "@/entities/plays/controls";
import { MODES } from "@/entities/plays/words";
import { formatCount, formatNumber } from "@/lib/format";
import { ControlsButton } from "@/pages/play/ControlsButton";
import { ModeSwitch } from "@/pages/play/ModeSwitch";
import { MouseSwitch, useMouse } from "@/pages/play/MouseSwitch";
import { RefusedModel } from "@/pages/play/RefusedModel";
import { ActionPad } from "@/panels/play-controls/ActionPad";
import type { PolicyChoice } from "@/panels/policy-select/actors";
import { PolicySelect } from "@/panels/policy-select/PolicySelect";
import { Panel } from "@/ui/Panel";
import { NowPanel } from "./NowPanel";
import { type PictureHandle, PlayPicture } from "./PlayPicture";
import { PlayTimeline } from "./PlayTimeline";
import { SessionControls } from "./SessionControls";
import { useLeave } from "./use-leave";
import { usePlay } from "./use-play";
import { WhoBadge } from "./WhoBadge";

export interface SessionProps {
  run: Run;
  envId: string;
  actionNames: readonly string[];
  observationNames: readonly string[];
  /** Next to the picture, below the numbers. */
  children: ReactNode;
}

export function Session(props: SessionProps) {
  const { run, envId, actionNames, observationNames, children } = props;
  const picture = useRef<PictureHandle>(null);
  const play = usePlay();
  useLeave(run.id, play);
  const { header, send, watches, state, controls } = play;
  const [isMouseOn, setMouseOn] = useMouse();
  const isBlocked = header === null || watches !== null || state !== "playing";
  const names = actionNames.length > 0 ? actionNames : namesOf(controls);
  const mode = header?.mode ?? (run.config.kind === "play" ? run.config.mode : undefined) ?? "human";
  const problem = header?.problem as StageProblem | null | undefined;
  const isOpen = header !== null;
  useEffect(() => {
    if (isOpen) picture.current?.focus();
  }, [isOpen]);
  /** A click of the mouse on a button gives the keyboard back to the game. */
  const giveBack = (event: ReactMouseEvent) => {
    if (event.detail > 0 && (event.target as Element).closest("button")) picture.current?.focus();
  };
  return (
    <div className="container-page grid items-start gap-4 py-4 sm:py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-3">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="title">{envId}</h1>
          {/* biome-ignore lint/a11y: the buttons inside are what is clicked */}
          <div onClick={giveBack}>
            <ModeSwitch
              value={mode}
              isDisabled={isBlocked}
              onChange={(next) => send({ op: "mode", mode: next })}
            />
          </div>
          <p className="text-sm text-ink-2 max-sm:hidden">{MODES[mode].help}</p>
        </header>
        <Panel
          title={watches ? "Watching only" : header ? `Episode ${formatCount(header.episode)}` : "Starting"}
          flush
          className="overflow-hidden"
          aside={header && <Now header={header} isWatching={watches !== null} />}
          actions={
            controls &&
            !watches && (
              // biome-ignore lint/a11y: the buttons inside are what is clicked
              <div onClick={giveBack} className="flex flex-wrap gap-1">
                <MouseSwitch controls={controls} isOn={isMouseOn} onChange={setMouseOn} />
                <ControlsButton
                  envId={envId}
                  controls={controls}
                  actionNames={names}
                  onSaved={(saved) => send({ op: "controls", controls: saved })}
                />
              </div>
            )
          }
        >
          {/* On a phone the buttons that play are right under the picture. */}
          {/* biome-ignore lint/a11y: the buttons inside are what is clicked */}
          <div onClick={giveBack} className="flex flex-col">
            {watches && <Note>{watches.message || "Somebody else plays. You see what they see."}</Note>}
            <PlayPicture
              runId={run.id}
              envId={envId}
              play={play}
              controls={controls}
              observationNames={observationNames}
              isMouseOn={isMouseOn}
              handle={picture}
            />
            <p aria-live="polite" className="text-sm">
              {play.notice && (
                <span className="block border-t bg-warn-soft px-4 py-2 text-warn">{play.notice}</span>
              )}
              {header?.note && <span className="block border-t px-4 py-2 text-ink-2">{header.note}</span>}
            </p>
            {problem && (
              <div className="border-t p-4 text-sm">
                <RefusedModel problem={problem} target={null} onSwitch={() => {}} />
              </div>
            )}
            <div className="max-sm:order-2">
              <SessionControls
                header={header}
                isBlocked={isBlocked}
                send={send}
                onDone={() => picture.current?.focus()}
                onEnd={() => send({ op: "end" })}
              />
            </div>
            {controls && mode !== "agent" && controls.kind !== "none" && (
              <div className="border-t max-sm:order-1">
                <ActionPad
                  controls={controls}
                  hands={play.hands}
                  isBlocked={isBlocked}
                  onAct={(action) => send({ op: "act", action })}
                />
              </div>
            )}
            {controls?.problem && mode !== "agent" && <Note>{controls.problem}</Note>}
            <div className="max-sm:order-1">
              <PlayTimeline trace={play.trace} />
            </div>
          </div>
        </Panel>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {header && <NowPanel header={header} actionNames={names} />}
        {mode !== "human" && !watches && (
          <Panel title="Model">
            <div className="text-sm">
              <PolicySelect
                envId={envId}
                policy={policyIn(header)}
                onChange={(next) =>
                  send({ op: "policy", run_id: next?.runId ?? null, checkpoint: next?.checkpoint ?? null })
                }
              />
              {header?.loading && <p className="mt-2 text-ink-2">{`Loading ${header.loading}…`}</p>}
            </div>
          </Panel>
        )}
        {children}
      </div>
    </div>
  );
}

/** Next to the picture, where one looks while playing. */
const Now = ({ header, isWatching }: { header: PlayHeader; isWatching: boolean }) => (
  <>
    <WhoBadge header={header} isWatching={isWatching} />
    <span className="figures text-xs text-ink-2">
      {`step ${formatCount(header.step)} · return ${formatNumber(header.return, 4)}`}
    </span>
  </>
);

const Note = ({ children }: { children: ReactNode }) => (
  <p role="status" className="border-t border-b bg-sunken px-4 py-2 text-sm">
    {children}
  </p>
);

function policyIn(header: PlayHeader | null): PolicyChoice | null {
  const agent = header?.agent as { run_id?: string; checkpoint?: string | null } | undefined;
  return agent?.run_id ? { runId: agent.run_id, checkpoint: agent.checkpoint ?? undefined } : null;
}

/** Where the lab has no names of the actions, those of the keys. */
function namesOf(controls: Controls | null): string[] {
  const names: string[] = [];
  if (controls?.kind !== "discrete") return names;
  for (const entry of controls.keys) names[entry.action] ??= labelOf(entry);
  return Array.from(names, (name, action) => name ?? `action ${action}`);
}
