import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { tabStop, walkCards } from "./card-keys";

test("arrow keys walk over the cards and stop at the ends", () => {
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: represents the list of cards
    <div onKeyDown={walkCards}>
      {["a", "b", "c"].map((name) => (
        <button key={name} type="button" data-card tabIndex={-1}>
          {name}
        </button>
      ))}
    </div>,
  );
  screen.getByText("a").focus();
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
  press("ArrowDown");
  expect(document.activeElement?.textContent).toBe("b");
  press("End");
  press("ArrowDown");
  expect(document.activeElement?.textContent).toBe("c");
  press("Home");
  press("ArrowUp");
  expect(document.activeElement?.textContent).toBe("a");
});

test("Tab reaches the chosen card, or the first when the chosen one is filtered away", () => {
  expect(tabStop(["a", "b"], "b")).toBe("b");
  expect(tabStop(["a", "b"], "z")).toBe("a");
  expect(tabStop([], "z")).toBeUndefined();
});
