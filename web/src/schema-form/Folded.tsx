/** A part of a form that few people need: its content is drawn when it is opened or used. */
import { type ReactNode, Suspense, useState } from "react";

export interface FoldedProps {
  title: string;
  /** Something in it is chosen or wrong. When this begins, it opens; it closes only by hand, so that no focus is lost. */
  isUsed: boolean;
  children: ReactNode;
}

export function Folded({ title, isUsed, children }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(isUsed);
  const [wasUsed, setWasUsed] = useState(isUsed);
  if (isUsed !== wasUsed) {
    setWasUsed(isUsed);
    if (isUsed) setIsOpen(true);
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="text-sm text-ink-2 hover:text-ink">{title}</summary>
      {isOpen && (
        <div className="mt-4">
          <Suspense>{children}</Suspense>
        </div>
      )}
    </details>
  );
}
