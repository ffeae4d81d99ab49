/** The run being prepared. All of it is in the link; typed values are written there after a short pause. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { runnersQuery } from "@/entities/runners/queries";
import type { Values } from "@/schema-form/fields";
import { changesFrom } from "@/schema-form/values";
import { chosenOffer, DEFAULT_ENV, type Draft, offersOf, presetsFor, startOf } from "./draft";

const route = getRouteApi("/");
const SETTLED_MS = 400;

interface Typed {
  steps: number | null;
  seed: number | null;
  solved: boolean;
  params: Values;
}

export function useDraft() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery);
  const runners = useQuery(runnersQuery);
  const [typed, setTyped] = useTyped();

  const envId = search.env ?? DEFAULT_ENV;
  const environment = environments.data?.find((e) => e.id === envId);
  const offers = offersOf(runners.data ?? []);
  const offer = chosenOffer(offers, search.algorithm, environment);
  const presets = offer ? presetsFor(offer.algorithm, envId) : [];
  const preset =
    presets.find((p) => p.id === search.preset) ?? (search.preset === undefined ? presets[0] : undefined);
  const draft: Draft | null = offer
    ? {
        envId,
        offer,
        preset,
        params: typed.params,
        totalTimesteps: typed.steps,
        seed: typed.seed,
        untilSolved: typed.solved,
      }
    : null;

  return {
    environments,
    runners,
    envId,
    environment,
    offers,
    presets,
    draft,
    choose(change: { env?: string; algorithm?: string; preset?: string }) {
      // Typed values belong to the algorithm and preset they were typed for.
      setTyped((t) => ({ ...t, steps: null, params: {} }));
      void navigate({
        search: (s) => ({ ...s, ...change, steps: undefined, params: undefined }),
        replace: true,
        resetScroll: false,
      });
    },
    setParams: (values: Values) =>
      setTyped((t) => ({ ...t, params: draft ? changesFrom(startOf(draft), values) : values })),
    setTotalTimesteps: (steps: number | null) => setTyped((t) => ({ ...t, steps })),
    setSeed: (seed: number | null) => setTyped((t) => ({ ...t, seed })),
    setUntilSolved: (solved: boolean) => setTyped((t) => ({ ...t, solved })),
  };
}

/** Browsers refuse hundreds of address changes in a row: a slider's value is written once it stops moving. */
function useTyped() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState<Typed>({
    steps: search.steps ?? null,
    seed: search.seed ?? null,
    solved: search.solved ?? false,
    params: search.params ?? {},
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      const settled = {
        steps: typed.steps ?? undefined,
        seed: typed.seed ?? undefined,
        solved: typed.solved || undefined,
        params: Object.keys(typed.params).length > 0 ? typed.params : undefined,
      };
      void navigate({ search: (s) => ({ ...s, ...settled }), replace: true, resetScroll: false });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  return [typed, setTyped] as const;
}

export type DraftState = ReturnType<typeof useDraft>;
