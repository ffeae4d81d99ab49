/** The editor of CodeMirror in React. Loaded by CodeEditor.tsx. */
import { setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { useEffect, useId, useRef } from "react";
import type { CodeEditorProps } from "./props";
import { marksOf } from "./remarks";
import { setup } from "./setup";

const NOTHING: readonly never[] = [];

export default function Editor(props: CodeEditorProps) {
  const { value, remarks = NOTHING, jump, onChange } = props;
  const keysId = useId();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const isReadOnly = onChange === undefined;

  useEffect(() => {
    const { label, leastLines = 14, mostLines = 34 } = latest.current;
    const made = new EditorView({
      doc: latest.current.value,
      parent: place.current!,
      extensions: setup({
        label,
        describedBy: keysId,
        isReadOnly,
        leastLines,
        mostLines,
        words: () => latest.current.words ?? NOTHING,
        onChange: (code) => latest.current.onChange?.(code),
        onSave: () => latest.current.onSave?.(),
        onCheck: () => latest.current.onCheck?.(),
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [isReadOnly, keysId]);

  useEffect(() => {
    const editor = view.current!;
    const shown = editor.state.doc.toString();
    // Another file was opened; what is typed has come from the editor itself.
    if (shown !== value) editor.dispatch({ changes: { from: 0, to: shown.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const { state } = view.current!;
    view.current!.dispatch(setDiagnostics(state, marksOf(state.doc.toString(), remarks)));
  }, [remarks]);

  useEffect(() => {
    if (!jump) return;
    const { doc } = view.current!.state;
    const { from } = doc.line(Math.min(Math.max(1, jump.line), doc.lines));
    view.current!.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    view.current!.focus();
  }, [jump]);

  return (
    <div className="group relative min-w-0">
      <div ref={place} className="isolate" />
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 hidden border-2 border-focus group-has-[.cm-focused]:block"
      />
      <p id={keysId} className="sr-only">
        {isReadOnly
          ? "Python code that cannot be changed here."
          : "Python code. Tab indents; press Escape, then Tab to leave the editor."}
      </p>
    </div>
  );
}
