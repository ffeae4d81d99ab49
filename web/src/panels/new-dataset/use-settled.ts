/** A value that has not changed for a while: a request per keystroke would be too many. */
import { useEffect, useState } from "react";

/** Compared by what it says, so that a new object with the same contents is no change. */
export function useSettled<T>(value: T, afterMs: number): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(
      () => setSettled((before) => (JSON.stringify(before) === text ? before : (JSON.parse(text) as T))),
      afterMs,
    );
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
