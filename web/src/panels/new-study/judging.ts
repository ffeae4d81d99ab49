/** What the variants of a study are judged by: a return of the training, a derived metric, or an evaluation. Pure. */
import type { DerivedMetric, SavedProtocol } from "@/api/types";
import { spellProtocol } from "@/entities/protocols/words";

export interface Judging {
  /** A measure of the lab, `metrics.NAME` for a derived metric, or `NUMBER`. */
  measure: string;
  /** By which each run is evaluated after its training; empty: the usual evaluation. */
  protocol: string;
  /** The number of the protocol's evaluation code. */
  number: string;
}

/** Stands for a number of evaluation code, whose name is typed. */
export const NUMBER = "a number";

const MEASURES: Record<string, string> = {
  final: "Mean return of the last 100 episodes",
  best: "Best mean over 100 episodes",
  area: "Mean height of the learning curve",
  evaluation: "Mean return of the newest evaluation",
};

interface Option {
  value: string;
  title: string;
}

export const measureOptions = (derived: readonly DerivedMetric[], { protocol }: Judging): Option[] => [
  ...Object.entries(MEASURES).map(([value, title]) => ({ value, title })),
  ...(protocol ? [{ value: NUMBER, title: "Number of the evaluation code" }] : []),
  ...derived.map(({ name }) => ({ value: `metrics.${name}`, title: `Last value of ${name}` })),
];

/** The newest version of each. */
export const protocolOptions = (saved: readonly SavedProtocol[]): Option[] => [
  { value: "", title: "The usual evaluation" },
  ...saved.flatMap(({ versions: [newest] }) =>
    newest ? [{ value: spellProtocol(newest), title: spellProtocol(newest) }] : [],
  ),
];

/** With another protocol; without one there is no number to judge by. */
export const withProtocol = ({ measure }: Judging, protocol: string): Partial<Judging> =>
  !protocol && measure === NUMBER ? { protocol, measure: "evaluation" } : { protocol };

export const judgingProblem = ({ measure, number }: Judging): string | null =>
  measure === NUMBER && number.trim() === "" ? "Type the name of the number, such as soft_landings." : null;

export const measureOf = ({ measure, number }: Judging): string =>
  measure === NUMBER ? number.trim() : measure;
