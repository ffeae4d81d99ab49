/** The editor of CodeMirror in React. Loaded by CodeEditor.tsx. */
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useId, useLayoutEffect, useRef } from "react";
import type { CodeEditorProps } from "./props";
import { marksOf } from "./remarks";
import { setup } from "./setup";

const NOTHING: readonly never[] = [];

export default function Editor(props: CodeEditorProps) {
  const keysId = useId();
  const isReadOnly = props.onChange === undefined;
  const place = useEditor(props, keysId, isReadOnly);
  return (
    <div className="group relative min-w-0">
      <div ref={place} className="isolate" />
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 hidden border-2 border-focus group-has-[.cm-focused]:block"
      />
      <p
        id={keysId}
        className={
          isReadOnly
            ? "sr-only"
            : "invisible border-t px-3 py-1 text-2xs text-ink-2 group-has-[.cm-focused]:visible"
        }
      >
        {isReadOnly
          ? "Python code that cannot be changed here."
          : "Tab indents. Escape, then Tab leaves the editor."}
      </p>
    </div>
  );
}

/** The editor in an element: it follows the properties, and calls back for what is typed. */
function useEditor(props: CodeEditorProps, keysId: string, isReadOnly: boolean) {
  const { value, file, label, remarks = NOTHING, jump } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const openFile = useRef(file);

  // Layout effects, here and below: an effect that runs later would undo a key that was pressed in between.
  useLayoutEffect(() => {
    const made = new EditorView({ state: newState(latest, keysId, isReadOnly), parent: place.current! });
    view.current = made;
    return () => made.destroy();
  }, [isReadOnly, keysId]);

  useLayoutEffect(() => {
    const editor = view.current!;
    const isOther = openFile.current !== file;
    openFile.current = file;
    const { doc } = editor.state;
    // What is typed has come from the editor itself.
    if (editor.state.toText(value).eq(doc)) return;
    if (isOther) editor.setState(newState(latest, keysId, isReadOnly));
    else editor.dispatch({ changes: { from: 0, to: doc.length, insert: value } });
  }, [value, file, isReadOnly, keysId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an update reads the name again
  useLayoutEffect(() => view.current!.dispatch({}), [label]);

  useLayoutEffect(() => {
    if (remarks === null) return;
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

  return place;
}

function newState(latest: { current: CodeEditorProps }, keysId: string, isReadOnly: boolean): EditorState {
  const { value, leastLines = 14, mostLines = 34 } = latest.current;
  return EditorState.create({
    doc: value,
    extensions: setup({
      label: () => latest.current.label,
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
}
