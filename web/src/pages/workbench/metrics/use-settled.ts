import { useEffect, useState } from "react";

const QUIET_MS = 300;

/** The value once it has not changed for a moment, so that not every letter is a request. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
