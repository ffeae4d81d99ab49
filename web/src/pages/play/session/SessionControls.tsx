/** Play, pause, step, speed, seeds and the end of a play; the same as its keys. */
import { useState } from "react";
import type { PlayHeader, PlayMessage } from "@/api/types";
import { useKeys } from "@/lib/keys";
import { isSeedText, SEED_PROBLEM } from "@/pages/play/seed";
import { INPUT } from "@/panels/text-field/TextField";
import { Button } from "@/ui/Button";
import { Popover } from "@/ui/Popover";
import { Select } from "@/ui/Select";

const SPEEDS = ["0.1", "0.25", "0.5", "0.75", "1", "1.5", "2"].map((value) => ({
  value,
  title: `${value}×`,
}));
const GROUP = "Play";

export interface SessionControlsProps {
  header: PlayHeader | null;
  /** Nothing is played yet, or somebody else plays. */
  isBlocked: boolean;
  send: (message: PlayMessage) => void;
  /** The keyboard goes back to the game. */
  onDone: () => void;
  onEnd: () => void;
}

export function SessionControls({ header, isBlocked, send, onDone, onEnd }: SessionControlsProps) {
  const isOver = header?.ended === true;
  const isPlaying = (header?.playing ?? false) && !isOver;
  const act = (message: PlayMessage) => {
    if (!isBlocked) send(message);
  };
  const toggle = () => act({ op: isPlaying ? "pause" : "play" });
  useKeys([
    { keys: "p", title: "Play or pause", group: GROUP, run: toggle },
    { keys: ".", title: "One step", group: GROUP, run: () => act({ op: "step" }) },
    { keys: "r", title: "The same seed again", group: GROUP, run: () => act({ op: "restart" }) },
    { keys: "n", title: "The next seed", group: GROUP, run: () => act({ op: "next" }) },
    ...(isOver
      ? [{ keys: "Enter", title: "The next episode", group: GROUP, run: () => act({ op: "next" }) }]
      : []),
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2 border-t px-4 py-2.5">
      <Button
        small
        icon={isPlaying ? "pause" : "play"}
        className="w-24"
        title={isPlaying ? "Pause (P)" : "Play (P)"}
        disabled={isBlocked}
        onClick={toggle}
      >
        {isPlaying ? "Pause" : "Play"}
      </Button>
      <Button small icon="step" title="One step (.)" disabled={isBlocked} onClick={() => act({ op: "step" })}>
        Step
      </Button>
      <Button
        small
        icon="reset"
        title="The same seed again (R)"
        disabled={isBlocked}
        onClick={() => act({ op: "restart" })}
      >
        Same seed
      </Button>
      <Button
        small
        icon="right"
        title="The next seed (N)"
        disabled={isBlocked}
        onClick={() => act({ op: "next" })}
      >
        Next seed
      </Button>
      <SeedChoice
        isBlocked={isBlocked}
        onSeed={(seed) => {
          act({ op: "next", seed });
          onDone();
        }}
      />
      <div className="w-20">
        <Select
          label="Speed"
          value={String(header?.speed ?? 1)}
          options={SPEEDS}
          onChange={(speed) => {
            act({ op: "speed", speed: Number(speed) });
            onDone();
          }}
        />
      </div>
      <Button small kind="danger" icon="stop" className="sm:ml-auto" disabled={isBlocked} onClick={onEnd}>
        End
      </Button>
    </div>
  );
}

function SeedChoice({ isBlocked, onSeed }: { isBlocked: boolean; onSeed: (seed: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const isSeed = text.trim() !== "" && isSeedText(text);
  return (
    <Popover
      title="A given seed"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button small disabled={isBlocked}>
          Seed…
        </Button>
      }
    >
      <form
        className="flex flex-col gap-3 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSeed) return;
          setOpen(false);
          onSeed(Number(text));
        }}
      >
        <label className="flex flex-col gap-1">
          Seed of the next episode
          <input
            inputMode="numeric"
            value={text}
            aria-invalid={text !== "" && !isSeed}
            onChange={(event) => setText(event.target.value)}
            className={INPUT}
          />
        </label>
        <Button type="submit" kind="primary" reason={isSeed ? null : SEED_PROBLEM}>
          Begin with this seed
        </Button>
      </form>
    </Popover>
  );
}
