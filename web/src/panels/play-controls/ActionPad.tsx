/** The controls on the screen: for fingers and the mouse, and a reminder of the keys. Several can be held at once. */
import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from "react";
import { type Controls, unkeyedText } from "@/entities/plays/controls";
import { cx } from "@/ui/cx";
import { AxisPad } from "./AxisPad";
import type { Hands } from "./hands";
import { KeyCaps } from "./KeyCap";
import { TypedAction } from "./TypedAction";
import { type ActionButton, actionButtons, axisControls } from "./touch";

export interface ActionPadProps {
  controls: Controls;
  hands: Hands;
  /** One step with an action that has no keys. */
  onAct: (action: number) => void;
  isBlocked?: boolean;
}

/** No zoom, no scrolling, no menu and no selected text under fingers that play. */
export const NO_GESTURES = "touch-none select-none [-webkit-touch-callout:none]";

export function ActionPad({ controls, hands, onAct, isBlocked }: ActionPadProps) {
  const place = useRef<HTMLDivElement>(null);
  useShowHeld(place, hands);
  const buttons = actionButtons(controls);
  const cross = buttons.filter((button) => button.place !== null);
  const others = buttons.filter((button) => button.place === null);
  const part = (button: ActionButton) => (
    <HoldButton key={button.id} button={button} hands={hands} onAct={onAct} isBlocked={isBlocked} />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the menu of a long touch away
    <div
      ref={place}
      className={cx("flex flex-wrap items-end gap-3 px-4 py-3", NO_GESTURES)}
      onContextMenu={(event) => event.preventDefault()}
    >
      {cross.length > 0 && <div className="grid gap-1.5 max-sm:w-full">{cross.map(part)}</div>}
      {others.length > 0 && <div className="flex min-w-0 flex-1 flex-wrap gap-1.5">{others.map(part)}</div>}
      {controls.kind === "discrete" && unkeyedText(controls) && (
        <TypedAction range={controls.entries[0]!} onAct={onAct} isBlocked={isBlocked} />
      )}
      {controls.kind === "continuous" &&
        axisControls(controls).map((control) => (
          <AxisPad
            key={control.label}
            control={control}
            controls={controls}
            hands={hands}
            isBlocked={isBlocked}
          />
        ))}
    </div>
  );
}

interface HoldButtonProps extends Omit<ActionPadProps, "controls"> {
  button: ActionButton;
}

function HoldButton({ button, hands, onAct, isBlocked }: HoldButtonProps) {
  const { action, label, keys, place } = button;
  const press = (source: string) => {
    if (isBlocked) return;
    if (keys.length > 0) hands.hold(source, { keys });
    else onAct(action);
  };
  const sourceOf = (event: ReactPointerEvent) => `button ${event.pointerId}`;
  const letGo = (event: ReactPointerEvent) => hands.hold(sourceOf(event), null);
  return (
    <button
      type="button"
      disabled={isBlocked}
      data-keys={keys.join(" ")}
      onPointerDown={(event) => {
        // The focus stays on the picture, and a finger that slides off does not let go.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        press(sourceOf(event));
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!event.repeat) press("button key");
      }}
      onKeyUp={() => hands.hold("button key", null)}
      onBlur={() => hands.hold("button key", null)}
      style={place ? { gridColumn: place[0], gridRow: place[1] } : undefined}
      className={cx(
        "flex min-h-10 min-w-20 items-center justify-center gap-2 rounded-sm border border-line-strong bg-surface px-2.5 text-xs",
        "pointer-coarse:min-h-16 pointer-coarse:min-w-24 max-sm:min-h-16 max-sm:flex-1",
        "data-[held=true]:border-live data-[held=true]:bg-live-soft data-[held=true]:text-live disabled:opacity-50",
      )}
    >
      {keys.length > 0 && <KeyCaps codes={keys} />}
      <span>{label}</span>
    </button>
  );
}

/** Marks the buttons whose keys are held, by whatever; directly, because it changes with every key. */
function useShowHeld(place: React.RefObject<HTMLDivElement | null>, hands: Hands): void {
  useEffect(
    () =>
      hands.watch(({ keys }) => {
        for (const button of place.current?.querySelectorAll<HTMLElement>("[data-keys]") ?? []) {
          const own = button.dataset.keys!.split(" ").filter(Boolean);
          button.dataset.held = String(own.length > 0 && own.every((key) => keys.includes(key)));
        }
      }),
    [hands, place],
  );
}
