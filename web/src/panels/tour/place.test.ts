import { expect, test } from "vitest";
import { cardPlace } from "./place";

const screen = { width: 1400, height: 900 };

test("the card is next to its part where there is room", () => {
  expect(cardPlace({ top: 80, left: 12, width: 250, height: 300 }, screen)).toEqual({ top: 80, left: 276 });
  expect(cardPlace({ top: 80, left: 1088, width: 300, height: 300 }, screen)).toEqual({ top: 80, left: 774 });
});

test("on a phone it is below or above, always on the screen", () => {
  const phone = { width: 390, height: 844 };
  expect(cardPlace({ top: 60, left: 12, width: 366, height: 300 }, phone)).toEqual({ top: 374, left: 14 });
  expect(cardPlace({ top: 400, left: 12, width: 366, height: 400 }, phone).top).toBe(400 - 190 - 14);
});

test("a part that fills the phone keeps its title in sight", () => {
  const place = cardPlace({ top: 100, left: 12, width: 366, height: 740 }, { width: 390, height: 844 });
  expect(place.top).toBe(844 - 190 - 14);
});
