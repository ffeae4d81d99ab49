/** A part of the page over the whole screen. The document goes full screen, so menus and hints stay visible above it. */
import { useCallback, useEffect, useState } from "react";

export interface FullScreen {
  isOn: boolean;
  toggle: () => void;
}

export function useFullScreen(): FullScreen {
  const [isOn, setIsOn] = useState(false);
  useEffect(() => {
    const onChange = () => document.fullscreenElement === null && setIsOn(false);
    document.addEventListener("fullscreenchange", onChange);
    return () => {
      document.removeEventListener("fullscreenchange", onChange);
      leave();
    };
  }, []);
  const toggle = useCallback(() => {
    setIsOn((before) => {
      if (before) leave();
      // A browser may refuse: then the part fills the window.
      else document.documentElement.requestFullscreen?.().catch(() => {});
      return !before;
    });
  }, []);
  return { isOn, toggle };
}

function leave(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
}
