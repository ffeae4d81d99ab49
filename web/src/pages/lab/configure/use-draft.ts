/** The run being prepared. All of it is in the link; typed values are written there after a short pause. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { runnersQuery } from "@/entities/runners/queries";
import { defaultsOf, fieldsOf, type Values } from "@/schema-form/fields";
import { changesFrom } from "@/schema-form/values";
import {
  chosenOffer,
  DEFAULT_ENV,
  type Draft,
  type Offer,
  offersOf,
  presetsFor,
  SOLVED,
  startOf,
  UNTIL,
} from "./draft";

const route = getRouteApi("/");
const SETTLED_MS = 400;

interface Typed {
  steps: number | null;
  seed: number | null;
  options: Values;
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
        options: typed.options,
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
    setOptions: (values: Values) =>
      setTyped((t) => ({ ...t, options: offer ? changedOptions(offer, { ...t.options, ...values }) : {} })),
  };
}

/** Browsers refuse hundreds of address changes in a row: a slider's value is written once it stops moving. */
function useTyped() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState<Typed>({
    steps: search.steps ?? null,
    seed: search.seed ?? null,
    options: { ...(search.solved && { [UNTIL]: SOLVED }), ...search.options },
    params: search.params ?? {},
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      const settled = {
        steps: typed.steps ?? undefined,
        seed: typed.seed ?? undefined,
        solved: undefined,
        options: orAbsent(typed.options),
        params: orAbsent(typed.params),
      };
      void navigate({ search: (s) => ({ ...s, ...settled }), replace: true, resetScroll: false });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  return [typed, setTyped] as const;
}

const orAbsent = (values: Values) => (Object.keys(values).length > 0 ? values : undefined);

const changedOptions = (offer: Offer, values: Values): Values =>
  changesFrom(defaultsOf(fieldsOf(offer.runner.options_schema)), values);

export type DraftState = ReturnType<typeof useDraft>;
