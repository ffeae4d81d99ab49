/** Protocols in words. Pure. */
import type { EvaluationSummary, ProtocolVersion } from "@/api/types";
import { formatNumber } from "@/lib/format";

/** nightly@v2; a protocol of the lab itself has no versions. */
export const spellProtocol = ({ name, version, is_built_in }: ProtocolVersion): string =>
  is_built_in ? name : `${name}@v${version}`;

/** As a score cites it: nightly@v2, or the options of the evaluation. */
export const citedProtocol = ({
  protocol,
  episodes,
}: Pick<EvaluationSummary, "protocol" | "episodes">): string =>
  protocol?.text.replace(/^protocol /, "") ?? `${episodes} episodes`;

export const seedsText = ({ seeds, base_seed }: ProtocolVersion): string =>
  seeds ? `seeds ${seeds.slice(0, 5).join(", ")}${seeds.length > 5 ? ", …" : ""}` : `seeds from ${base_seed}`;

/** "return ≥ 200"; null without a threshold. */
export const passesText = ({ threshold, judged_by, passes }: ProtocolVersion): string | null =>
  threshold === null
    ? null
    : `${judged_by} ${passes === "at_least" ? "≥" : "≤"} ${formatNumber(threshold, 4)}`;

/** What it decides about, in one line. */
export const describeProtocol = (protocol: ProtocolVersion): string =>
  [
    `${protocol.episodes} episodes`,
    seedsText(protocol),
    protocol.deterministic ? "best actions" : "sampled actions",
    ...(protocol.code ? [`code ${protocol.code.name}@v${protocol.code.version}`] : []),
    ...(passesText(protocol) ? [`passes with ${passesText(protocol)}`] : []),
    ...(protocol.env_id ? [protocol.env_id] : []),
  ].join(" · ");
