/** Short messages in the corner. Actions run at once without a question and can be undone here. */
import { useEffect } from "react";
import { ProblemError } from "@/api/problem";
import { createStore, useStore } from "@/lib/store";
import { IconButton } from "./Button";
import { cx } from "./cx";
import { TextWithCode } from "./states";

export interface Toast {
  id: number;
  text: string;
  tone: "plain" | "warn";
  /** Undoes the action. */
  undo?: () => void;
  /** What one may want to do next, on this page. */
  action?: { title: string; run: () => void };
  /** A result to open in a new tab. */
  link?: { title: string; href: string };
  shown_ms: number;
}

export const toasts = createStore<readonly Toast[]>([]);
let newest = 0;
const MOST = 4;

export function toast(text: string, more: Partial<Omit<Toast, "id" | "text">> = {}): number {
  const made: Toast = {
    id: ++newest,
    text,
    tone: "plain",
    shown_ms: more.undo || more.action || more.link ? 10_000 : 5_000,
    ...more,
  };
  toasts.set((shown) => [...shown, made].slice(-MOST));
  return made.id;
}

/** For the `onError` of an action: shows the lab's message, or that nothing happened because there is no connection. */
export function toastProblem(error: unknown): void {
  const problem = error instanceof ProblemError ? error.problem : null;
  const text = problem ? [problem.detail, problem.next_step].filter(Boolean).join(" ") : String(error);
  if (problem?.status === 0) toastNoConnection("changed");
  else toast(text, { tone: "warn", shown_ms: 9_000 });
}

export function toastNoConnection(what: "changed" | "started"): void {
  const text = `No connection; nothing was ${what}. Try again when the header shows “live”.`;
  toast(text, { tone: "warn", shown_ms: 9_000 });
}

export function dismissToast(id: number): void {
  toasts.set((shown) => shown.filter((t) => t.id !== id));
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[min(26rem,calc(100vw-2rem))] flex-col gap-2"
    >
      {shown.map((t) => (
        <ToastCard key={t.id} toast={t} />
      ))}
    </div>
  );
}

function ToastCard({ toast: shown }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(shown.id), shown.shown_ms);
    return () => clearTimeout(timer);
  }, [shown]);
  const action = shown.undo ? { title: "Undo", run: shown.undo } : shown.action;
  return (
    <div
      className={cx(
        "pointer-events-auto flex items-center gap-3 rounded-md border bg-surface py-2 pr-2 pl-4 text-sm shadow-pop",
        shown.tone === "warn" ? "border-warn text-warn" : "border-line-strong",
      )}
    >
      <p className="min-w-0 flex-1 break-words">
        <TextWithCode text={shown.text} />
      </p>
      {action && (
        <button
          type="button"
          className="rounded-sm px-2 py-1.5 font-medium text-ink underline underline-offset-4 hover:bg-sunken"
          onClick={() => {
            dismissToast(shown.id);
            action.run();
          }}
        >
          {action.title}
        </button>
      )}
      {shown.link && (
        <a
          href={shown.link.href}
          target="_blank"
          rel="noreferrer"
          className="rounded-sm px-2 py-1.5 font-medium text-ink underline underline-offset-4 hover:bg-sunken"
        >
          {shown.link.title}
        </a>
      )}
      <IconButton icon="close" label="Dismiss" onClick={() => dismissToast(shown.id)} />
    </div>
  );
}
