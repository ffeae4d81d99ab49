/** What a panel shows instead of current data: empty, loading, failed, or outdated. */
import type { ReactNode } from "react";
import { ProblemError } from "@/api/problem";
import { waitingChunks } from "@/lib/chunks";
import { formatClock } from "@/lib/format";
import { useStore } from "@/lib/store";
import { Button } from "./Button";
import { cx } from "./cx";
import { Icon } from "./icons";

/** Names what would be here, and offers the one action that fills it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 px-6 py-10 text-center">
      <p className="heading">{title}</p>
      {children && <div className="max-w-96 text-sm text-ink-2">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** A placeholder of about the right size, so that nothing moves when the content arrives. */
export function Loading({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div role="status" className="flex flex-col gap-3 py-1">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, i) => (
        <div
          key={i}
          className="h-3.5 animate-pulse rounded-sm bg-sunken"
          style={{ width: `${92 - ((i * 17) % 45)}%` }}
        />
      ))}
    </div>
  );
}

/** While a part of the page cannot be loaded because the lab is away. */
export function Away() {
  return (
    <div role="status" className="flex flex-col items-center justify-center gap-2 px-6 py-16 text-center">
      <p className="heading">No connection to the lab</p>
      <p className="max-w-96 text-sm text-ink-2">This page opens when it is back.</p>
    </div>
  );
}

/** For `Suspense` around a part that is loaded when it is needed. */
export function Arriving({ lines = 6 }: { lines?: number }) {
  return useStore(waitingChunks) > 0 ? <Away /> : <Loading lines={lines} />;
}

/** A message of the lab: what is between backticks is code. */
export function TextWithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, i) =>
    i % 2 === 1 ? (
      <code key={i} className="figures rounded-sm bg-sunken px-1 text-[0.92em] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

/** An error inside a dialog, where toasts would be hidden. */
export function ProblemNote({ error }: { error: unknown }) {
  if (!error) return null;
  const problem = error instanceof ProblemError ? error.problem : null;
  return (
    <p role="alert" className="rounded-sm border border-warn bg-warn-soft p-3 text-sm break-words text-warn">
      <TextWithCode
        text={problem ? [problem.detail, problem.next_step].filter(Boolean).join(" ") : String(error)}
      />
    </p>
  );
}

/** In place of the entries of a list that could not be loaded: it must not look empty. */
export function LoadFailed({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const reason = error instanceof Error ? error.message : String(error);
  return (
    <p role="alert" className="text-xs break-words text-warn">
      <TextWithCode text={`The ${what} could not be loaded. ${reason} `} />
      <button type="button" onClick={onRetry} className="font-medium underline underline-offset-4">
        Try again
      </button>
    </p>
  );
}

export function ErrorState({
  title,
  error,
  onRetry,
  action,
}: {
  title?: string;
  error: unknown;
  onRetry?: () => void;
  /** A way on where trying again is of no use. */
  action?: ReactNode;
}) {
  const problem = error instanceof ProblemError ? error.problem : null;
  return (
    <div
      role="alert"
      className="flex h-full flex-col items-center justify-center gap-2 px-6 py-8 text-center"
    >
      <p className="heading flex items-center gap-2 text-warn">
        <Icon name="warn" size={14} />
        {title ?? problem?.title ?? "Something went wrong"}
      </p>
      <p className="max-w-96 text-sm break-words text-ink-2">
        <TextWithCode text={problem?.detail ?? (error instanceof Error ? error.message : String(error))} />
      </p>
      {problem?.next_step && (
        <p className="max-w-96 text-sm text-ink">
          <TextWithCode text={problem.next_step} />
        </p>
      )}
      {action && <div className="mt-2">{action}</div>}
      {onRetry && (
        <Button small onClick={onRetry} icon="reset" className="mt-2">
          Try again
        </Button>
      )}
    </div>
  );
}

/** Marks data that is no longer live. */
export function StaleNote({
  since,
  className,
}: {
  since: Date | string | number | null;
  className?: string;
}) {
  return (
    <span className={cx("inline-flex items-center gap-1.5 text-xs text-ink-3", className)}>
      <span aria-hidden="true" className="size-1.5 rounded-full border border-current" />
      {since === null ? "not live" : `as of ${formatClock(since)}`}
    </span>
  );
}
