/** A stick, a slider or a pedal on the screen; it springs back when it is let go. */
import { type PointerEvent as ReactPointerEvent, useRef } from "react";
import type { Controls } from "@/entities/plays/controls";
import { cx } from "@/ui/cx";
import type { Hands } from "./hands";
import { KeyCaps } from "./KeyCap";
import { type AxisControl, leanOf, pointIn } from "./touch";

export interface AxisPadProps {
  control: AxisControl;
  controls: Controls;
  hands: Hands;
  isBlocked?: boolean;
}

const SIZES: Record<AxisControl["kind"], string> = {
  stick: "size-36",
  slider: "h-14 w-full",
  pedal: "h-14 w-full",
};

/** On a phone a slider has a line of its own, and pedals are next to each other. */
const WIDTHS: Record<AxisControl["kind"], string> = {
  stick: "",
  slider: "w-64 max-sm:w-full",
  pedal: "w-28 max-sm:flex-1",
};

export function AxisPad({ control, controls, hands, isBlocked }: AxisPadProps) {
  const knob = useRef<HTMLSpanElement>(null);
  const axes = control.kind === "stick" ? [control.x, control.y] : [control.axis];
  // A slider goes the way of its keys: more torque may be to the left.
  const sign = control.kind === "slider" ? signOf(controls, control.axis) : 1;
  const move = (event: ReactPointerEvent<HTMLDivElement>) => {
    if (isBlocked) return;
    const { x, y } = pointIn(event.currentTarget.getBoundingClientRect(), event.clientX, event.clientY);
    hands.hold(`pad ${control.label}`, { axes: axesAt(control, x * sign, y) });
    place(knob.current, control.kind === "pedal" ? 0 : x, control.kind === "stick" ? y : 0);
  };
  const letGo = () => {
    hands.hold(`pad ${control.label}`, null);
    place(knob.current, 0, 0);
  };
  return (
    <div className={cx("flex flex-col gap-1.5 text-xs", WIDTHS[control.kind])}>
      {axes.map((index) => (
        <AxisKeys key={index} controls={controls} index={index} />
      ))}
      <div
        role="img"
        aria-label={`${control.label}: hold and drag`}
        className={cx(
          "relative touch-none rounded-md border border-line-strong bg-sunken active:border-live active:bg-live-soft",
          SIZES[control.kind],
          isBlocked && "opacity-50",
        )}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
          move(event);
        }}
        onPointerMove={(event) => event.buttons > 0 && move(event)}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onLostPointerCapture={letGo}
      >
        {control.kind !== "pedal" && (
          <span
            ref={knob}
            className="absolute top-1/2 left-1/2 size-8 -translate-1/2 rounded-full border-2 border-ink bg-surface"
          />
        )}
      </div>
    </div>
  );
}

function axesAt(control: AxisControl, x: number, y: number): Record<number, number> {
  if (control.kind === "stick") return { [control.x]: x, [control.y]: y };
  return { [control.axis]: control.kind === "pedal" ? 1 : x };
}

const signOf = (controls: Controls, index: number): 1 | -1 =>
  leanOf(controls.axes.find((one) => one.index === index)!)?.sign ?? 1;

function place(knob: HTMLElement | null, x: number, y: number): void {
  if (!knob) return;
  knob.style.left = `${50 + x * 40}%`;
  knob.style.top = `${50 - y * 40}%`;
}

function AxisKeys({ controls, index }: { controls: Controls; index: number }) {
  const axis = controls.axes.find((one) => one.index === index)!;
  const [before, after] = leanOf(axis)?.sign === -1 ? [axis.plus, axis.minus] : [axis.minus, axis.plus];
  return (
    <span className="flex items-center gap-2 text-ink-2">
      <KeyCaps codes={before} />
      {axis.label || `number ${index}`}
      <KeyCaps codes={after} />
    </span>
  );
}
