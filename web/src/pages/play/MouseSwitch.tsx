/** One click: the mouse steers on the picture, next to the keys. Only where it has something to steer. */
import type { Controls } from "@/entities/plays/controls";
import { useRemembered } from "@/lib/remembered";
import { mouseText } from "@/panels/play-controls/touch";
import { Button } from "@/ui/Button";

/** Whether the mouse steers; kept by this browser. */
export const useMouse = () => useRemembered("play.mouse", false);

export interface MouseSwitchProps {
  controls: Controls;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

export function MouseSwitch({ controls, isOn, onChange }: MouseSwitchProps) {
  const text = mouseText(controls);
  if (!text) return null;
  return (
    <Button
      small
      kind={isOn ? "outline" : "quiet"}
      className={isOn ? "bg-select" : ""}
      icon="pointer"
      aria-pressed={isOn}
      title={`Move the mouse over the picture. ${text}`}
      onClick={() => onChange(!isOn)}
    >
      Steer with the mouse
    </Button>
  );
}
