/** Take over: a play begins at the very state that a replay shows; of two replays side by side one is chosen. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useStartPlay } from "@/entities/plays/use-start-play";
import { formatCount } from "@/lib/format";
import { useKeys } from "@/lib/keys";
import { Button, type ButtonProps } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { type TakeOverTarget, whyNot } from "./target";

export interface TakeOverButtonProps {
  /** One, or those that play side by side. */
  targets: readonly [TakeOverTarget, ...TakeOverTarget[]];
  step: number;
  /** Before the play is asked for: the replay should not run on. */
  onPress: () => void;
}

export function TakeOverButton({ targets, step, onPress }: TakeOverButtonProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const start = useStartPlay((play) => void navigate({ to: "/play/$runId", params: { runId: play.id } }));
  const takeOver = (target: TakeOverTarget) => {
    if (whyNot(target, step) !== null || start.isPending) return;
    onPress();
    start.mutate({ start: { ...target.start, step } });
  };
  const [only, ...others] = targets;
  const isOne = others.length === 0;
  const press = () => (isOne ? takeOver(only) : setOpen(true));
  useKeys([{ keys: "t", title: "Take over at this step", group: "Replay", run: press }]);
  const look: ButtonProps = {
    small: true,
    kind: "quiet",
    icon: "gamepad",
    title: `Play on from step ${formatCount(step)} yourself (T)`,
    disabled: start.isPending,
    children: <span className="max-sm:sr-only">{start.isPending ? "Taking over…" : "Take over"}</span>,
  };
  if (isOne) return <Button {...look} reason={whyNot(only, step)} onClick={press} />;
  return (
    <Menu
      open={isOpen}
      onOpenChange={setOpen}
      heading={`Play on from step ${formatCount(step)} of`}
      trigger={<Button {...look} />}
      items={targets.map((target) => ({
        title: target.title,
        reason: whyNot(target, step),
        run: () => takeOver(target),
      }))}
    />
  );
}
