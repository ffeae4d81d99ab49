/** The episodes on a strip, and the text of one of their steps. Pure. */
import { WHO_WORDS } from "@/entities/plays/who";
import { formatNumber, formatSigned } from "@/lib/format";
import type { Opened } from "./messages";

export interface Track {
  title: string;
  /** Null until the episode is open. */
  opened: Opened | null;
}

/** "reward +1, value 34.2, push left"; of a play also who chose it: "by the person". */
export function textAt({ opened }: Track, step: number): string {
  if (!opened) return "not open yet";
  if (step > opened.length) return "ended";
  const action = opened.actions[step - 1];
  const value = opened.values[step];
  const parts = [`reward ${step === 0 ? "–" : formatSigned(opened.rewards[step - 1])}`];
  if (value !== null && value !== undefined) parts.push(`value ${formatNumber(value)}`);
  if (action !== undefined && opened.action_names[action]) parts.push(opened.action_names[action]);
  const who = WHO_WORDS[opened.who[step - 1] ?? -1];
  if (who) parts.push(`by the ${who}`);
  return parts.join(", ");
}
