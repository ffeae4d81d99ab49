/** The newest evaluation of each run, with the interval of its mean on one common scale, and the numbers of its code. */
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Comparison, EvaluationSummary } from "@/api/types";
import { intervalOf, rangeText } from "@/entities/evaluations/interval";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { citedProtocol } from "@/entities/protocols/words";
import { formatCount, formatNumber, NOTHING } from "@/lib/format";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import type { Compared } from "./groups";
import { newestOf, numberNames } from "./newest-evaluations";

const HEAD = "label px-4 py-2 text-left text-ink-3";
const CELL = "figures px-4 py-2 text-xs whitespace-nowrap";
const ABOUT_RETURNS = ["Run", "Mean return", "Interval of the mean", "", "Median", "Successes"];
const ABOUT_EPISODES = ["Episodes", "Checkpoint", "Protocol"];

export interface ComparedEvaluationsProps {
  /** One run each. */
  compared: readonly Compared[];
  colour: (runId: string) => string;
  /** Only evaluations by the protocol with this hash; absent: the newest of each run. */
  protocol: string | undefined;
  /** Of the evaluations that the verdict takes; absent: it takes none. */
  verdictBy: Comparison["protocols"][number] | undefined;
  onProtocol: (sha256: string | undefined) => void;
}

export function ComparedEvaluations(props: ComparedEvaluationsProps) {
  const { compared, colour, protocol } = props;
  const queries = useQueries({
    queries: compared.map((one) => evaluationsQuery(one.id)),
  });
  const rows = compared.map((one, i) => ({
    one,
    summary: newestOf(queries[i]?.data, protocol),
  }));
  const names = numberNames(rows.map(({ summary }) => summary));
  const heads = [...ABOUT_RETURNS, ...names, ...ABOUT_EPISODES];
  const ends = rows.flatMap(({ summary }) => (summary ? [...intervalOf(summary), ...summary.returns] : []));
  const isMixed = new Set(rows.flatMap(({ summary }) => summary?.protocol?.sha256 ?? [])).size > 1;
  const scale: [number, number] = [Math.min(...ends), Math.max(...ends)];
  return (
    <Panel title="Evaluations" flush>
      <ProtocolNote {...props} isMixed={isMixed} />
      <section aria-label="Newest evaluations" tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b">
              {heads.map((head) => (
                <th key={head} scope="col" className={HEAD}>
                  {head || <span className="sr-only">Interval as a chart</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ one, summary }) => (
              <tr key={one.id} className="border-b last:border-0">
                <RunCell one={one} colour={colour(one.id)} />
                {summary ? (
                  <SummaryCells colour={colour(one.id)} summary={summary} scale={scale} names={names} />
                ) : (
                  <td colSpan={heads.length - 1} className="px-4 py-2 text-xs text-ink-2">
                    {protocol === undefined
                      ? "Not evaluated yet; open the run and press Evaluate."
                      : "Not evaluated by this protocol; open the run and press Evaluate."}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function RunCell({ one, colour }: { one: Compared; colour: string }) {
  return (
    <th scope="row" className="px-4 py-2 text-left font-normal">
      <span className="flex items-center gap-2 whitespace-nowrap">
        <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full" style={{ background: colour }} />
        <Link
          to="/runs/$runId"
          params={{ runId: one.id }}
          search={{ tab: "evaluations" }}
          className="hover:underline"
        >
          {one.label}
        </Link>
      </span>
    </th>
  );
}

interface SummaryProps {
  colour: string;
  summary: EvaluationSummary;
  scale: [number, number];
}

function SummaryCells({ colour, summary, scale, names }: SummaryProps & { names: readonly string[] }) {
  return (
    <>
      <td className={CELL}>{formatNumber(summary.return_mean, 4)}</td>
      <td className={CELL}>{rangeText(summary.return_ci, summary.return_ci_level)}</td>
      <td className="w-48 px-4 py-2">
        <Interval colour={colour} summary={summary} scale={scale} />
      </td>
      <td className={CELL}>{formatNumber(summary.return_median, 4)}</td>
      <td className={CELL}>
        {summary.successes === null ? "–" : `${summary.successes} of ${summary.episodes}`}
      </td>
      {names.map((name) => (
        <NumberCell key={name} found={summary.numbers[name]} />
      ))}
      <td className={CELL}>{summary.episodes}</td>
      <td className={CELL}>{`step ${formatCount(summary.checkpoint_timestep)}`}</td>
      <td className={CELL}>{citedProtocol(summary)}</td>
    </>
  );
}

/** Which evaluations are shown, and the button that shows the others. */
function ProtocolNote(props: ComparedEvaluationsProps & { isMixed: boolean }) {
  const { protocol, verdictBy, onProtocol, isMixed } = props;
  if (protocol === undefined && !isMixed) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3 text-sm">
      <p className={isMixed ? "text-warn" : "text-ink-2"}>
        {isMixed
          ? "These evaluations follow different protocols, so their results cannot be compared with each other."
          : "Evaluations by one protocol only."}
        {isMixed && verdictBy && ` Verdicts about evaluations take those by ${verdictBy.text}.`}
      </p>
      {protocol !== undefined ? (
        <Button small onClick={() => onProtocol(undefined)}>
          Show the newest of each run
        </Button>
      ) : (
        verdictBy && (
          <Button small onClick={() => onProtocol(verdictBy.sha256)}>
            Show only those
          </Button>
        )
      )}
    </div>
  );
}

function NumberCell({ found }: { found: EvaluationSummary["numbers"][string] | undefined }) {
  if (!found) return <td className={CELL}>{NOTHING}</td>;
  return (
    <td className={CELL} title={`Interval of the mean: ${rangeText(found.ci, found.ci_level)}`}>
      {formatNumber(found.mean, 4)}
    </td>
  );
}

function Interval({ colour, summary, scale }: SummaryProps) {
  const span = scale[1] - scale[0] || 1;
  const at = (value: number) => `${((value - scale[0]) / span) * 100}%`;
  const [low, high] = intervalOf(summary);
  return (
    <div aria-hidden="true" className="relative h-4 w-40">
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      <span
        className="absolute top-1/2 h-1 -translate-y-1/2 rounded-full"
        style={{
          left: at(low),
          width: `max(3px, ${((high - low) / span) * 100}%)`,
          background: colour,
        }}
      />
      <span
        className="absolute top-1/2 size-2.5 -translate-1/2 rounded-full border-2 border-surface"
        style={{ left: at(summary.return_mean), background: colour }}
      />
    </div>
  );
}
