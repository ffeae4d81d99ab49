/**
 * An editor for Python code: colours, completion, remarks at their lines. The editor itself weighs more than the rest
 * of the page and is loaded when one is shown.
 */
import { lazy, Suspense } from "react";
import { patiently } from "@/lib/chunks";
import type { CodeEditorProps } from "./props";

const Editor = lazy(() => patiently(() => import("./Editor")));

const LINE_REM = 1.4;

export function CodeEditor(props: CodeEditorProps) {
  const height = `${(props.leastLines ?? 14) * LINE_REM}rem`;
  return (
    <Suspense
      fallback={
        <pre
          style={{ minHeight: height }}
          className="overflow-hidden bg-surface py-2 pl-14 font-mono text-sm text-ink-2"
        >
          {props.value}
        </pre>
      }
    >
      <Editor {...props} />
    </Suspense>
  );
}
