/** From the API's series to the lines of a chart. Pure. */
import type { Metrics } from "@/api/types";
import type { Threshold } from "@/charts/plot";
import type { Series } from "@/charts/series";
import { formatNumber } from "@/lib/format";
import { metricOfAxis, xsOf } from "./axis";
import type { XAxis } from "./chart-search";

interface MetricWords {
  title: string;
  help: string;
  /** Of the y axis. */
  unit?: string;
}

/** Common titles and what good values look like; a metric without an entry shows its own name. */
const WORDS: Record<string, MetricWords> = {
  reward: {
    title: "Episode reward",
    help: "Sum of the rewards of one episode. Rises, then stays high.",
    unit: "return",
  },
  mean_reward: {
    title: "Mean reward",
    help: "Mean of the last 100 episodes. Rises to the threshold.",
    unit: "return",
  },
  own_return: {
    title: "Return under your reward",
    help: "Sum of your own reward over one episode, which the policy learns from. If it rises while the episode reward falls, the policy exploits it.",
    unit: "return",
  },
  "evaluation/return_mean": {
    title: "Evaluation return",
    help: "Mean return of a checkpoint on fixed seeds, played alongside the training. The highest is the best one.",
    unit: "return",
  },
  "evaluation/own_return_mean": {
    title: "Evaluation under your reward",
    help: "Mean return of a checkpoint on fixed seeds under your own reward.",
    unit: "return",
  },
  normalised_score: {
    title: "Normalised score",
    help: "The evaluation return between two references: 0 is the lower one, 100 the higher one. The run's page names them.",
  },
  length: {
    title: "Episode length",
    help: "Steps of one episode. Longer is better where surviving is the goal.",
    unit: "steps",
  },
  loss: {
    title: "Loss",
    help: "Loss of the last update. It needs no trend; NaN or a steady rise is a problem.",
  },
  policy_loss: { title: "Policy loss", help: "The actor's part of the loss: small and noisy around zero." },
  value_loss: {
    title: "Value loss",
    help: "The critic's part of the loss. Falls once the reward has settled.",
  },
  entropy: {
    title: "Entropy",
    help: "How random the policy is, in nats. Falls slowly; near zero early means too little exploration.",
    unit: "nats",
  },
  kl: {
    title: "KL divergence",
    help: "How far one update moved the policy. Usually 0.003 to 0.03; spikes are too large.",
  },
  clip_fraction: {
    title: "Clip fraction",
    help: "Share of samples limited by the clipped objective. Usually 0.05 to 0.3.",
  },
  explained_variance: {
    title: "Explained variance",
    help: "Share of the returns' variance the critic predicts. Climbs towards 1; at 0 it has learned nothing.",
  },
  fps: {
    title: "Steps per second",
    help: "Environment steps per second, over all environments.",
    unit: "steps/s",
  },
  gradient_norm: {
    title: "Gradient norm",
    help: "Length of the gradient before clipping. Steady; growth without end means divergence.",
  },
  parameter_change: {
    title: "Parameter change",
    help: "How far one update moved the weights (L2). Falls slowly; a jump means that the step was too large.",
  },
  relative_parameter_change: {
    title: "Relative parameter change",
    help: "The parameter change divided by the length of all weights. Usually 0.001 to 0.05.",
  },
  advantage_mean: {
    title: "Advantage mean",
    help: "Mean advantage of the last rollout, before it is normalised. Near zero.",
  },
  advantage_std: {
    title: "Advantage spread",
    help: "Standard deviation of the advantages of the last rollout. Falls as the critic learns.",
  },
  q_mean: {
    title: "Mean Q-value",
    help: "Mean of the best action's Q-value in the sampled batch. Rises towards the discounted return.",
  },
  q_max: {
    title: "Greatest Q-value",
    help: "In the sampled batch. Far above any possible return, it is an overestimate.",
  },
};
/** The metrics that are listed first. */
const FIRST = [
  "mean_reward",
  "reward",
  "own_return",
  "evaluation/return_mean",
  "evaluation/own_return_mean",
  "normalised_score",
  "length",
  "loss",
  "policy_loss",
  "value_loss",
  "q_mean",
  "q_max",
  "entropy",
  "kl",
  "clip_fraction",
  "explained_variance",
  "advantage_mean",
  "advantage_std",
  "gradient_norm",
  "parameter_change",
  "relative_parameter_change",
];

const X_TITLES: Record<string, string> = {
  step: "Step",
  episode: "Episode",
  time: "Wall time",
  relative: "Seconds",
};

/** Metrics that are compared with the threshold at which an environment is solved. */
const REWARDS = new Set(["reward", "mean_reward"]);

/** The line at which the environment is solved, for charts of the reward. */
export function thresholdOf(name: string, threshold: number | null): Threshold | null {
  if (threshold === null || !REWARDS.has(name)) return null;
  return { value: threshold, label: `solved at ${formatNumber(threshold)}` };
}

/** The name of the y axis: "Episode reward (return)"; the title alone where there is no unit. */
export function yTitle(name: string): string {
  const unit = WORDS[name]?.unit;
  return unit ? `${metricTitle(name)} (${unit})` : metricTitle(name);
}

export const xTitle = (x: XAxis): string => X_TITLES[x] ?? metricTitle(metricOfAxis(x) ?? x);

/** The sum of one term of a reward of one's own: own_return/fuel. */
const OWN_TERM = "own_return/";

export function metricTitle(name: string): string {
  if (name.startsWith(OWN_TERM)) return `Your reward: ${name.slice(OWN_TERM.length)}`;
  return WORDS[name]?.title ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll("_", " ");
}

export const metricHelp = (name: string): string | undefined => WORDS[name]?.help;

export function metricNames(metrics: Metrics): string[] {
  return inOrder(Object.keys(metrics.series).filter((name) => !ENDS.has(name)));
}

/** Ends of an interval: a band around their mean, no charts of their own. */
const ENDS = new Set(["evaluation/return_low", "evaluation/return_high"]);

export function inOrder(names: readonly string[]): string[] {
  const listed = (name: string) => (name.startsWith(OWN_TERM) ? "own_return" : name);
  const rank = (name: string) => (FIRST.includes(listed(name)) ? FIRST.indexOf(listed(name)) : FIRST.length);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

const EVALUATION = "evaluation/return_mean";

/** The evaluations alongside a training, with the interval of each mean; null when there are none, or no such axis. */
export function evaluationSeries(metrics: Metrics, x: XAxis, line: Line): Series | null {
  const points = metrics.series[EVALUATION];
  if (!points || points.value.length === 0 || (x !== "step" && x !== "time" && x !== "relative")) return null;
  const [low, high] = [metrics.series["evaluation/return_low"], metrics.series["evaluation/return_high"]];
  const hasBand = low?.value.length === points.value.length && high?.value.length === points.value.length;
  return {
    ...seriesOf(metrics, EVALUATION, x, line),
    isSparse: true,
    ...(hasBand ? { low: low!.value, high: high!.value } : {}),
  };
}

/** A line of returns: of a training without episodes of its own, which learns from a dataset, its evaluations. */
export function returnsOf(metrics: Metrics, name: string, x: XAxis, line: Line): Series {
  const evaluated =
    REWARDS.has(name) && !metrics.series[name]?.value.length ? evaluationSeries(metrics, x, line) : null;
  return evaluated ? { ...evaluated, label: `${line.label} (evaluation)` } : seriesOf(metrics, name, x, line);
}

type Line = Pick<Series, "id" | "label" | "colour">;

/** Cache of lines by their points: an unchanged line stays the same object and is not drawn again. */
const made = new WeakMap<object, Map<string, Series>>();

export function seriesOf(metrics: Metrics, name: string, x: XAxis, line: Line): Series {
  const points = metrics.series[name];
  if (!points) return { ...line, xs: [], ys: [] };
  // The other axes depend on further series, which may have grown.
  if (x !== "step" && x !== "time") return freshSeries(metrics, name, x, line);
  const known = made.get(points) ?? new Map<string, Series>();
  made.set(points, known);
  const key = [x, line.id, line.label, line.colour].join("\n");
  const found = known.get(key) ?? freshSeries(metrics, name, x, line);
  known.set(key, found);
  return found;
}

function freshSeries(metrics: Metrics, name: string, x: XAxis, line: Line): Series {
  const points = metrics.series[name]!;
  const xs = xsOf(metrics, name, x);
  return metricOfAxis(x) === null ? { ...line, xs, ys: points.value } : scatter(line, xs, points.value);
}

/** One metric over another: sorted by x, because uPlot needs ascending values. */
function scatter(line: Line, xs: ArrayLike<number>, ys: readonly (number | null)[]): Series {
  const order = ys.map((_, i) => i).filter((i) => Number.isFinite(xs[i]) && ys[i] !== null);
  order.sort((a, b) => xs[a]! - xs[b]!);
  return { ...line, xs: order.map((i) => xs[i]!), ys: order.map((i) => ys[i]!), isScatter: true };
}
