/** Turns the pictures off and on; off, nothing is drawn for this page. The browser remembers it. */
import { IconButton } from "@/ui/Button";

export function FeedSwitch({ isOn, onToggle }: { isOn: boolean; onToggle: () => void }) {
  return (
    <IconButton
      icon={isOn ? "eye" : "eyeOff"}
      label={isOn ? "Turn the feed off" : "Turn the feed on"}
      aria-pressed={!isOn}
      onClick={onToggle}
    />
  );
}
