/** The picture of a play: it has the focus while one plays, and says what it waits for. */
import {
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type Ref,
  useImperativeHandle,
  useRef,
} from "react";
import type { PlayHeader } from "@/api/types";
import { type Controls, codesOf, keyLabel } from "@/entities/plays/controls";
import { formatCount, formatNumber } from "@/lib/format";
import { NO_GESTURES } from "@/panels/play-controls/ActionPad";
import { mouseAxes, mouseText, pointerAxes, pointIn } from "@/panels/play-controls/touch";
import type { Moment } from "@/panels/replay/messages";
import { Observation } from "@/panels/replay/StepPanel";
import { Stage } from "@/panels/stage/Stage";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import type { Play } from "./use-play";

export interface PictureHandle {
  focus: () => void;
}

export interface PlayPictureProps {
  runId: string;
  envId: string;
  play: Play;
  controls: Controls | null;
  observationNames: readonly string[];
  /** The mouse steers as it moves, without a button held. */
  isMouseOn: boolean;
  handle: Ref<PictureHandle>;
}

export function PlayPicture(props: PlayPictureProps) {
  const { runId, envId, play, controls, observationNames, isMouseOn, handle } = props;
  const place = useRef<HTMLDivElement>(null);
  useImperativeHandle(handle, () => ({ focus: () => place.current?.focus({ preventScroll: true }) }), []);
  const steers = isMouseOn && controls !== null && mouseText(controls) !== "" && play.watches === null;
  const usesPointer = steers || (controls?.axes.some((axis) => axis.mouse !== null) && play.watches === null);
  const steer = (event: ReactPointerEvent<HTMLDivElement>) => {
    const point = pointIn(event.currentTarget.getBoundingClientRect(), event.clientX, event.clientY);
    play.hands.hold("pointer", { axes: (steers ? mouseAxes : pointerAxes)(controls!, point) });
  };
  /** A mouse that steers needs no button; it only begins with one, so that nothing starts by accident. */
  const isFree = (event: ReactPointerEvent) =>
    steers && event.pointerType === "mouse" && play.header?.playing === true;
  const letGo = () => play.hands.hold("pointer", null);
  const letGoOf = (event: ReactPointerEvent) => !isFree(event) && letGo();
  const pointer = usesPointer
    ? {
        onPointerDown: (event: ReactPointerEvent<HTMLDivElement>) => {
          if ((event.target as Element).closest("button")) return;
          if (!steers || event.pointerType !== "mouse")
            event.currentTarget.setPointerCapture(event.pointerId);
          steer(event);
        },
        onPointerMove: (event: ReactPointerEvent<HTMLDivElement>) =>
          (event.buttons > 0 || isFree(event)) && steer(event),
        onPointerUp: letGoOf,
        onPointerLeave: letGo,
        onPointerCancel: letGo,
        onLostPointerCapture: letGo,
      }
    : {};
  return (
    <div
      ref={place}
      tabIndex={0}
      role="application"
      aria-label={`${envId}. ${keysText(controls)}`}
      className={cx(
        "relative focus-visible:-outline-offset-2",
        usesPointer && NO_GESTURES,
        steers && "cursor-crosshair",
      )}
      {...pointer}
    >
      <Stage
        path={`/api/plays/${runId}/socket`}
        label={`Picture of ${envId}`}
        placeholder={<p>Starting {envId}…</p>}
        handle={play.stage}
        badges={null}
        onReport={play.onReport}
        className="aspect-3/2 max-h-[56dvh]"
      />
      {play.header?.note && <Numbers header={play.header} names={observationNames} />}
      <Waiting play={play} controls={controls} isMouseOn={steers} />
    </div>
  );
}

function keysText(controls: Controls | null): string {
  const codes = controls ? [...codesOf(controls)] : [];
  return codes.length > 0 ? `Keys: ${codes.map(keyLabel).join(", ")}.` : "";
}

/** In place of a picture that cannot be drawn. */
function Numbers({ header, names }: { header: PlayHeader; names: readonly string[] }) {
  return (
    <section
      tabIndex={0}
      aria-label="Numbers of the environment"
      className="ring-inside absolute inset-0 overflow-y-auto bg-surface p-4 pb-24 text-ink"
    >
      <Observation moment={header as unknown as Moment} names={names} />
    </section>
  );
}

/** Over the picture: what has to happen for it to go on. */
function Waiting({ play, controls, isMouseOn }: Pick<PlayPictureProps, "play" | "controls" | "isMouseOn">) {
  const { header, send } = play;
  if (header === null || play.state === "ended") return null;
  if (play.state === "connecting")
    return (
      <Over>
        <p className="heading">The connection was lost</p>
        <p className="text-sm">The play waits, and continues when the lab is back.</p>
      </Over>
    );
  if (header.ended && header.mode !== "agent")
    return (
      <Over>
        <p className="heading">{`Episode over: return ${formatNumber(header.return, 4)} in ${formatCount(header.step)} steps`}</p>
        {!play.watches && (
          <p className="flex flex-wrap justify-center gap-2">
            <Button small kind="primary" icon="right" onClick={() => send({ op: "next" })}>
              Next seed (Enter)
            </Button>
            <Button small icon="reset" onClick={() => send({ op: "restart" })}>
              Same seed again (R)
            </Button>
          </p>
        )}
      </Over>
    );
  if (header.playing) return null;
  if (header.waiting === "key" && !play.watches && controls?.kind !== "none")
    return (
      <Over>
        <p className="heading">{beginText(controls, isMouseOn)}</p>
        <p className="text-sm max-sm:hidden">{keysText(controls)}</p>
      </Over>
    );
  return (
    <Over>
      <p className="heading">Paused</p>
      {!play.watches && <p className="text-sm">Press P or Play to continue.</p>}
    </Over>
  );
}

function beginText(controls: Controls | null, isMouseOn: boolean): string {
  if (controls?.kind === "discrete" && controls.keys.length === 0)
    return "Type the number of an action to begin";
  return isMouseOn ? "Click the picture or press a key to begin" : "Press a key or button to begin";
}

const Over = ({ children }: { children: ReactNode }) => (
  <div className="pointer-events-none absolute inset-x-0 bottom-0 flex justify-center p-4 max-sm:p-2">
    <div className="pointer-events-auto flex max-w-full flex-col items-center gap-2 rounded-md border border-line-strong bg-surface px-5 py-3 text-center max-sm:px-3 max-sm:py-2 text-ink shadow-pop">
      {children}
    </div>
  </div>
);
