/** The run being prepared: what was chosen, together with what the lab offers for it. */
import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "@/entities/environments/queries";
import { chosenOffer, type Offer, offersOf, takesData } from "@/entities/runners/offers";
import { runnersQuery } from "@/entities/runners/queries";
import { inEnvironment, tagsOf, withReward } from "@/pages/lab/draft/choice";
import { DEFAULT_ENV, type Draft, lengthsFor, presetsFor, startOf } from "@/pages/lab/draft/draft";
import { MAX_SECONDS } from "@/pages/lab/draft/ends";
import { useChoice } from "@/pages/lab/draft/use-choice";
import { defaultsOf, fieldsOf, type Values } from "@/schema-form/fields";
import { changesFrom } from "@/schema-form/values";

export function useDraft() {
  const environments = useQuery(environmentsQuery);
  const runners = useQuery(runnersQuery);
  const [choice, setChoice] = useChoice();

  const envId = choice.env ?? DEFAULT_ENV;
  const environment = environments.data?.find((e) => e.id === envId);
  const offers = offersOf(runners.data ?? []);
  const offer = chosenOffer(offers, choice.algorithm, environment);
  const presets = offer ? presetsFor(offer.algorithm, envId) : [];
  const preset =
    presets.find((p) => p.id === choice.preset) ?? (choice.preset === undefined ? presets[0] : undefined);
  const lengths = offer ? lengthsFor(offer.algorithm, envId) : [];
  const draft: Draft | null = offer
    ? {
        envId,
        offer,
        preset,
        length: lengths.find((one) => one.id === choice.length),
        params: choice.params ?? {},
        totalTimesteps: choice.steps ?? null,
        seed: choice.seed ?? null,
        seeds: choice.seeds ?? "",
        start: choice.start ?? "",
        dataset: takesData(offer) ? (choice.dataset ?? "") : "",
        reward: offer.runner.capabilities.own_reward ? (choice.reward ?? "") : "",
        name: choice.name ?? "",
        tags: tagsOf(choice.tags),
        options: choice.options ?? {},
        envKwargs: choice.env_kwargs ?? {},
      }
    : null;

  return {
    environments,
    runners,
    envId,
    environment,
    offers,
    presets,
    lengths,
    draft,
    /** Steps and parameters belong to the algorithm and preset they were typed for. */
    choose: (change: { env?: string; algorithm?: string; preset?: string }) =>
      setChoice((c) => ({
        ...(change.env === undefined ? c : inEnvironment(c, change.env, envId)),
        ...change,
        steps: undefined,
        params: undefined,
      })),
    /** Its environment is the one of the run. */
    setDataset: (dataset: string, env: string) =>
      setChoice((c) => ({ ...(env ? inEnvironment(c, env, envId) : c), dataset })),
    setParams: (values: Values) =>
      setChoice((c) => ({ ...c, params: draft ? changesFrom(startOf(draft), values) : values })),
    /** Undefined goes back to the preset's steps. */
    setLength: (length: string | undefined) =>
      setChoice((c) => ({ ...c, length, steps: undefined, options: withTime(c.options, null) })),
    /** Takes the place of a length that is a time. */
    setTime: (seconds: number | null) =>
      setChoice((c) => ({
        ...c,
        length: draft?.length?.max_seconds ? undefined : c.length,
        options: withTime(c.options, seconds),
      })),
    setSeeds: (seeds: string) => setChoice((c) => ({ ...c, seeds: seeds || undefined })),
    setTotalTimesteps: (steps: number | null) => setChoice((c) => ({ ...c, steps: steps ?? undefined })),
    setSeed: (seed: number | null) => setChoice((c) => ({ ...c, seed: seed ?? undefined })),
    setEnvKwargs: (values: Values) =>
      setChoice((c) => ({ ...c, env_kwargs: Object.keys(values).length > 0 ? values : undefined })),
    setReward: (reward: string) => setChoice((c) => withReward(c, reward)),
    clearStart: () => setChoice((c) => ({ ...c, start: undefined })),
    setName: (name: string) => setChoice((c) => ({ ...c, name: name || undefined })),
    /** As typed: separated by commas. */
    tagsText: choice.tags ?? "",
    setTags: (tags: string) => setChoice((c) => ({ ...c, tags: tags || undefined })),
    setOptions: (values: Values) =>
      setChoice((c) => ({ ...c, options: offer ? changedOptions(offer, { ...c.options, ...values }) : {} })),
  };
}

function withTime(options: Values | undefined, seconds: number | null): Values {
  const { [MAX_SECONDS]: _, ...others } = options ?? {};
  return seconds === null ? others : { ...others, [MAX_SECONDS]: seconds };
}

const changedOptions = (offer: Offer, values: Values): Values =>
  changesFrom(defaultsOf(fieldsOf(offer.runner.options_schema)), values);

export type DraftState = ReturnType<typeof useDraft>;
