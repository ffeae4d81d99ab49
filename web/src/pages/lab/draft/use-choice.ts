/**
 * The choice for the next run. This browser keeps it, so leaving the lab or reloading loses nothing, and the link shows
 * it. A link that names a choice (such as "train again") replaces what was kept.
 */
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { recall, remember } from "@/lib/remembered";
import { type Choice, choiceIn, isSameChoice, withChoice } from "@/pages/lab/draft/choice";

const route = getRouteApi("/");
const KEPT = "lab.draft";
/** Browsers refuse hundreds of address changes in a row: a slider's value is written once it stops moving. */
const SETTLED_MS = 400;

export function useChoice() {
  const named = choiceIn(route.useSearch());
  const navigate = route.useNavigate();
  const router = useRouter();
  const [choice, setChoice] = useState<Choice>(() => named ?? choiceIn(recall<Choice>(KEPT, {})) ?? {});
  const written = useRef(named);
  const isBare = named === null;

  useEffect(() => {
    if (named === null || isSameChoice(named, written.current)) return;
    written.current = named;
    setChoice(named);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the link to the bare page gets the choice added
  useEffect(() => {
    remember(KEPT, choice);
    const timer = setTimeout(() => {
      // Another page is on its way: a change of this one's address would call it back.
      if (router.latestLocation.pathname !== route.id) return;
      written.current = choiceIn(choice);
      void navigate({ search: (s) => withChoice(s, choice), replace: true, resetScroll: false });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [choice, isBare, navigate, router]);

  return [choice, setChoice] as const;
}
