/** A picture of an environment, loaded when it comes into view, a few at a time; its place is reserved from the start. */
import { useEffect, useRef, useState } from "react";
import { mediaAddress } from "@/api/addresses";
import { cx } from "@/ui/cx";
import { thumbnailQueue } from "./thumbnail-queue";

export interface ThumbnailProps {
  envId: string;
  /** False: the lab cannot draw the environment, so its initials are shown without asking. */
  isDrawn?: boolean;
  className?: string;
}

export function Thumbnail({ envId, isDrawn = true, className }: ThumbnailProps) {
  const place = useRef<HTMLSpanElement>(null);
  const done = useRef<() => void>(() => {});
  const [state, setState] = useState<"waiting" | "loading" | "shown" | "none">(isDrawn ? "waiting" : "none");

  useEffect(() => {
    if (!isDrawn) return;
    let isAsked = false;
    let isBegun = false;
    const observer = new IntersectionObserver((entries) => {
      const isSeen = entries.at(-1)!.isIntersecting;
      if (isSeen === isAsked || isBegun) return;
      isAsked = isSeen;
      if (!isSeen) return done.current();
      done.current = thumbnailQueue.ask(() => {
        // A picture that has begun to load is kept, even when its card scrolls out of view.
        isBegun = true;
        setState("loading");
      });
    });
    observer.observe(place.current!);
    return () => {
      observer.disconnect();
      done.current();
    };
  }, [isDrawn]);

  const end = (next: "shown" | "none") => () => {
    setState(next);
    done.current();
  };
  return (
    <span
      ref={place}
      className={cx("relative block shrink-0 overflow-hidden rounded-sm bg-sunken", className)}
      aria-hidden="true"
    >
      {(state === "loading" || state === "shown") && (
        <img
          src={mediaAddress(`/api/environments/${envId}/thumbnail`)}
          alt=""
          onLoad={end("shown")}
          onError={end("none")}
          className={cx(
            "absolute inset-0 size-full object-cover transition-opacity duration-200",
            state === "shown" ? "opacity-100" : "opacity-0",
          )}
        />
      )}
      {state === "none" && (
        <span className="figures absolute inset-0 grid place-items-center text-2xs text-ink-3">
          {envId.replace(/^.*\//, "").slice(0, 2)}
        </span>
      )}
    </span>
  );
}
