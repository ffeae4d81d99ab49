/** The run being prepared: environment, algorithm and preset live in the link, the rest in the page. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { environmentsQuery } from "@/features/environments/queries";
import { runnersQuery } from "@/features/runners/queries";
import type { Values } from "@/schema-form/fields";
import { chosenOffer, DEFAULT_ENV, type Draft, offersOf, presetsFor } from "./configuration";

const route = getRouteApi("/");

export function useDraft() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery);
  const runners = useQuery(runnersQuery);
  const [params, setParams] = useState<Values>({});
  const [totalTimesteps, setTotalTimesteps] = useState<number | null>(null);
  const [seed, setSeed] = useState<number | null>(null);

  const envId = search.env ?? DEFAULT_ENV;
  const environment = environments.data?.find((e) => e.id === envId);
  const offers = offersOf(runners.data ?? []);
  const offer = chosenOffer(offers, search.algorithm, environment);
  const presets = offer ? presetsFor(offer.algorithm, envId) : [];
  const preset =
    presets.find((p) => p.id === search.preset) ?? (search.preset === undefined ? presets[0] : undefined);
  const draft: Draft | null = offer ? { envId, offer, preset, params, totalTimesteps, seed } : null;

  const choose = (change: { env?: string; algorithm?: string; preset?: string }) => {
    // What was typed belongs to the algorithm and preset it was typed for.
    setParams({});
    setTotalTimesteps(null);
    void navigate({ search: (s) => ({ ...s, ...change }), replace: true });
  };
  return {
    environments,
    runners,
    environment,
    offers,
    presets,
    draft,
    choose,
    setParams,
    setTotalTimesteps,
    setSeed,
  };
}

export type DraftState = ReturnType<typeof useDraft>;
