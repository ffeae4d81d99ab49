/** Whether an element is in view, as a ref: a scroll must not re-render every chart. */
import { type RefObject, useEffect, useRef } from "react";

export function useOnScreen(element: RefObject<Element | null>, onEnter: () => void): RefObject<boolean> {
  const isOnScreen = useRef(false);
  const enter = useRef(onEnter);
  enter.current = onEnter;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      isOnScreen.current = entry?.isIntersecting ?? false;
      if (isOnScreen.current) enter.current();
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
