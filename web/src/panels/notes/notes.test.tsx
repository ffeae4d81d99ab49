import { fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { NotePanel } from "./NotePanel";
import { noteTree } from "./NoteText";

describe("a note", () => {
  it("links to the web only, and loads no picture", () => {
    const text = JSON.stringify(
      noteTree("[a](javascript:alert(1)) [b](https://x.org) ![cat](https://x.org/cat.png)"),
    );
    expect(text).not.toContain("javascript");
    expect(text).not.toContain("img");
    expect(text).toContain("https://x.org");
    expect(text).toContain("cat");
  });

  it("is shown as plain text when it cannot be parsed", () => {
    expect(JSON.stringify(noteTree(`${">".repeat(20_000)} deep`))).toContain("deep");
  });

  it("is saved when it has changed, and left alone otherwise", () => {
    const onSave = vi.fn();
    render(<NotePanel about="this run" note="old" onSave={onSave} />);
    fireEvent.click(screen.getByRole("button", { name: /Edit/ }));
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(onSave).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: /Edit/ }));
    fireEvent.change(screen.getByRole("textbox"), { target: { value: " new " } });
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Enter", ctrlKey: true });
    expect(onSave).toHaveBeenCalledWith("new");
  });
});
