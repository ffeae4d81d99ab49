/** The width of an element in pixels, as it changes. */
import { type RefObject, useLayoutEffect, useState } from "react";

export function useWidth(element: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const found = element.current;
    if (!found) return;
    const read = () => setWidth(found.clientWidth || initial);
    read();
    const sizes = new ResizeObserver(read);
    sizes.observe(found);
    return () => sizes.disconnect();
  }, [element, initial]);
  return width;
}
