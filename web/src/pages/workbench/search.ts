/** What a link to the workbench carries. */
import { count, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const WORKBENCH_TABS = ["rewards", "evaluation", "environments", "metrics"] as const;
export type WorkbenchTab = (typeof WORKBENCH_TABS)[number];

export const workbenchSearch = searchParams({
  tab: oneOf(WORKBENCH_TABS),
  /** The saved code, protocol or metric that is open; without it, the list. */
  name: text,
  /** Its version; the newest when absent. */
  version: count,
  /** The run that it was opened from: its episodes are what is tried on. */
  run: text,
  /** The evaluation protocol that is open. */
  protocol: text,
  /** The environment that something new is written for. */
  env: text,
});
export type WorkbenchSearch = SearchOf<typeof workbenchSearch>;
