/** The study being prepared: what was typed, with what the lab offers for it. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { StudyTemplate } from "@/api/types";
import { derivedMetricsQuery } from "@/entities/derived-metrics/queries";
import { environmentsQuery } from "@/entities/environments/queries";
import { protocolsQuery } from "@/entities/protocols/queries";
import { chosenOffer, offerId, offersOf, whyNotOffer } from "@/entities/runners/offers";
import { runnersQuery } from "@/entities/runners/queries";
import { speedQuery } from "@/entities/runners/speed";
import { templatesQuery } from "@/entities/studies/queries";
import { parseCount } from "@/lib/count";
import { type Field, fieldsFor, fieldsOf } from "@/schema-form/fields";
import { emptyDraft, fromTemplate, planOf, type StudyDraft } from "./draft";

const FIRST_ENVIRONMENT = "CartPole-v1";
/** What the lab trains when neither the user nor a preset names a length. */
const USUAL_STEPS = 100_000;

export function useStudyDraft() {
  const environments = useQuery(environmentsQuery);
  const runners = useQuery(runnersQuery);
  const [typed, setTyped] = useState<StudyDraft>(() => emptyDraft(FIRST_ENVIRONMENT, undefined));
  const environment = environments.data?.find((one) => one.id === typed.envId);
  const offers = useMemo(() => offersOf(runners.data ?? []), [runners.data]);
  const offer = chosenOffer(offers, typed.offer || undefined, environment);
  const draft = { ...typed, offer: offer ? offerId(offer) : "" };
  const fields = useMemo(
    () => (offer ? fieldsFor(fieldsOf(offer.algorithm.params_schema), environment?.action_space_type) : []),
    [offer, environment?.action_space_type],
  );
  const all: Field[] = useMemo(() => [...fields, STEPS], [fields]);
  const templates = useQuery({
    ...templatesQuery(draft.envId, offer?.runner.id ?? "", offer?.algorithm.id ?? ""),
    enabled: offer !== undefined && whyNotOffer(offer, environment) === null,
  });
  const derived = useQuery(derivedMetricsQuery);
  const protocols = useQuery(protocolsQuery);
  const speed = useQuery({
    ...speedQuery(draft.envId, offer?.runner.id ?? "", offer?.algorithm.id ?? ""),
    enabled: offer !== undefined,
  });
  const plan = planOf(draft, all);
  return {
    environments: environments.data ?? [],
    offers: offers.filter((one) => whyNotOffer(one, environment) === null),
    isLoading: environments.isPending || runners.isPending,
    fields: all,
    draft,
    plan,
    templates: templates.data ?? [],
    derived: derived.data ?? [],
    protocols: protocols.data ?? [],
    /** Of all runs one after the other; null while the speed is unknown. */
    seconds: speed.data
      ? (plan.runs * (parseCount(draft.steps) || stepsOf(offer))) / speed.data.steps_per_second
      : null,
    change: (change: Partial<StudyDraft>) => setTyped((before) => ({ ...before, ...change })),
    use: (template: StudyTemplate) => setTyped(fromTemplate(draft, template, all)),
  };
}

export type StudyDraftState = ReturnType<typeof useStudyDraft>;

const stepsOf = (offer: ReturnType<typeof chosenOffer>): number =>
  offer?.algorithm.presets[0]?.total_timesteps ?? USUAL_STEPS;

/** The length of a training can vary like any parameter. */
const [STEPS] = fieldsOf({
  properties: {
    total_timesteps: {
      type: "integer",
      title: "Total timesteps",
      description: "How long each run trains.",
      minimum: 1,
      default: USUAL_STEPS,
      "x-scale": "log",
    },
  },
}) as [Field];
