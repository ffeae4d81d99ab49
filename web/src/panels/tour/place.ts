/** The position of the tour's card: next to its part where there is room, else below or above, else over its end. Pure. */
export interface Rect {
  top: number;
  left: number;
  width: number;
  height: number;
}
export interface Place {
  top: number;
  left: number;
}

const CARD = { width: 300, height: 190 };
const GAP = 14;

export function cardPlace(around: Rect | null, screen: { width: number; height: number }): Place {
  const inside = ({ top, left }: Place): Place => ({
    top: Math.max(GAP, Math.min(top, screen.height - CARD.height - GAP)),
    left: Math.max(GAP, Math.min(left, screen.width - CARD.width - GAP)),
  });
  if (around === null) return inside({ top: screen.height, left: screen.width });
  const right = around.left + around.width + GAP;
  if (right + CARD.width + GAP <= screen.width) return inside({ top: around.top, left: right });
  const left = around.left - CARD.width - GAP;
  if (left >= GAP) return inside({ top: around.top, left });
  const below = around.top + around.height + GAP;
  const above = around.top - CARD.height - GAP;
  // A part that fills the screen is covered at its end: its title and buttons are at its beginning.
  return inside({
    top: above >= GAP && below + CARD.height + GAP > screen.height ? above : below,
    left: around.left,
  });
}
