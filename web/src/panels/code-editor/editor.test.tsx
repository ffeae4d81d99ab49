import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { python } from "@codemirror/lang-python";
import { ensureSyntaxTree } from "@codemirror/language";
import { forEachDiagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import Editor from "./Editor";
import type { CodeEditorProps } from "./props";
import { completer } from "./setup";
import { rewardWords } from "./words";

function offered(code: string): number {
  const state = EditorState.create({ doc: code, extensions: [python()] });
  ensureSyntaxTree(state, code.length);
  const complete = completer(() => rewardWords(undefined));
  const found = complete(new CompletionContext(state, code.length, false)) as CompletionResult | null;
  return found?.options.length ?? 0;
}

test("completion is offered in code, not in comments and strings", () => {
  expect(offered("x = ob")).toBeGreaterThan(0);
  expect(offered("# the pole ob")).toBe(0);
  expect(offered('x = "the pole ob')).toBe(0);
  expect(offered('"""About ob')).toBe(0);
  expect(offered('x = f"the pole ob')).toBe(0);
});

const shown = (props: Partial<CodeEditorProps>) => (
  <Editor label="Code" value={"a\nb\n"} onChange={() => undefined} {...props} />
);
const viewOf = () => EditorView.findFromDOM(screen.getByRole("textbox"))!;
const markedLines = () => {
  const { state } = viewOf();
  const lines: number[] = [];
  forEachDiagnostic(state, (_, from) => lines.push(state.doc.lineAt(from).number));
  return lines;
};

test("while the remarks of the new text are not known, the old ones move with their lines", () => {
  const remarks = [{ line: 2, level: "error", message: "no b" }] as const;
  const { rerender } = render(shown({ remarks }));
  expect(markedLines()).toEqual([2]);
  viewOf().dispatch({ changes: { from: 0, insert: "new\n" } });
  rerender(shown({ value: "new\na\nb\n", remarks: null }));
  expect(markedLines()).toEqual([3]);
  rerender(shown({ value: "new\na\nb\n", remarks: [] }));
  expect(markedLines()).toEqual([]);
});

test("its name and its text follow the version that is open", () => {
  const onChange = vi.fn();
  const { rerender } = render(shown({ file: "gentle@v1", onChange }));
  viewOf().dispatch({ changes: { from: 0, insert: "x" } });
  expect(onChange).toHaveBeenCalledWith("xa\nb\n");
  rerender(shown({ label: "Code of gentle@v2", file: "gentle@v2", value: "two\n", onChange }));
  expect(screen.getByRole("textbox", { name: "Code of gentle@v2" }).textContent).toContain("two");
  expect(onChange).toHaveBeenCalledTimes(1);
});

test("line breaks of another system are no change", () => {
  const onChange = vi.fn();
  render(shown({ value: "a\r\nb\r\n", onChange }));
  expect(onChange).not.toHaveBeenCalled();
});

test("the way out of the editor is a text that can be seen", () => {
  render(shown({}));
  const hint = screen.getByText(/Escape, then Tab leaves the editor/);
  expect(hint.className).not.toContain("sr-only");
});
