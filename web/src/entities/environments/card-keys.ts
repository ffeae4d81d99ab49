/** Arrow keys move between cards, so that a hundred of them are one stop for the Tab key. */
import type { KeyboardEvent } from "react";

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The `onKeyDown` of the element around the cards; each card's button has `data-card`. */
export function walkCards(event: KeyboardEvent<HTMLElement>): void {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-card]")];
  const here = cards.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key] ?? 0;
  const next = event.key === "Home" ? 0 : event.key === "End" ? cards.length - 1 : here + step;
  if (here < 0 || next === here || !cards[next]) return;
  event.preventDefault();
  event.stopPropagation();
  cards[next].focus();
}

/** The card that Tab reaches: the chosen one, else the first. */
export const tabStop = (ids: readonly string[], chosen: string | undefined): string | undefined =>
  chosen !== undefined && ids.includes(chosen) ? chosen : ids[0];
