/** Choices that this browser keeps and that are not in the link: folded columns, chosen table columns. */
import { useState } from "react";

export function useRemembered<T>(key: string, initial: T): [T, (next: T) => void] {
  const [value, setValue] = useState<T>(() => recall(key, initial));
  return [
    value,
    (next: T) => {
      setValue(next);
      remember(key, next);
    },
  ];
}

export function remember<T>(key: string, value: T): void {
  try {
    localStorage.setItem(`rl-lab.${key}`, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the choice lasts until the page is closed.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`rl-lab.${key}`);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

export function recall<T>(key: string, initial: T): T {
  try {
    const kept = localStorage.getItem(`rl-lab.${key}`);
    return kept === null ? initial : (JSON.parse(kept) as T);
  } catch {
    return initial;
  }
}
