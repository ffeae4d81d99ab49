/**
 * Which live messages make which queries out of date: one table, and the code that follows it for every query that is
 * on the screen. A component only uses a query; it subscribes to nothing to keep the data fresh.
 */
import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Live } from "@/api/live";
import type { EventType, Run, RunEvent } from "@/api/types";
import { live, topics } from "@/api/use-live";
import { throttled } from "@/lib/throttled";
import { keys } from "./query-keys";

interface Row {
  /** A topic of the run that the query belongs to. */
  topic: (runId: string) => string;
  refreshes: (runId: string) => QueryKey;
  /** At most one refresh in this time, and none while the page is hidden: for topics with several messages a second. */
  everyMs?: number;
  /** Only a message with such an item refreshes. */
  when?: (item: unknown) => boolean;
}

const TABLE: readonly Row[] = [
  { topic: topics.artifacts, refreshes: keys.artifacts },
  { topic: topics.artifacts, refreshes: keys.usageOf },
  { topic: topics.artifacts, refreshes: keys.wandb },
  { topic: topics.events, refreshes: keys.evaluations, when: isAboutEvaluation },
  { topic: topics.events, refreshes: keys.verifications, when: isAboutVerification },
  { topic: topics.events, refreshes: keys.certificates, when: isAboutCertificate },
  { topic: topics.events, refreshes: keys.snapshot, when: isAboutConfig },
  { topic: topics.events, refreshes: keys.notCaptured, when: isAboutCapture },
  { topic: topics.events, refreshes: keys.scriptEnvironments, when: isAboutRoles },
  { topic: topics.events, refreshes: allMetrics, when: isAboutRoles },
  { topic: topics.events, refreshes: allEpisodes, when: isAboutRoles },
  { topic: topics.metrics, refreshes: keys.insights, everyMs: 2_000 },
];

/** Every query of this family, whatever it asks for. */
function allMetrics(runId: string): QueryKey {
  return ["metrics", runId];
}

function allEpisodes(runId: string): QueryKey {
  return ["episodes", runId];
}

/** A change of status makes the run's insights out of date; a job also affects what its training run shows of it. */
export function refreshedByStatus(run: Run): QueryKey[] {
  const parent = run.parent_id;
  return [
    keys.insights(run.id),
    keys.bestEpisode(run.id),
    keys.wandb(run.id),
    ...(run.status === "running" ? reportedFamilies(run.id) : []),
    ...(parent
      ? [
          keys.evaluations(parent),
          keys.verifications(parent),
          keys.certificates(parent),
          keys.artifacts(parent),
        ]
      : []),
  ];
}

/** A training that is resumed may go back to an older checkpoint: what it had reported after it is gone. */
const reportedFamilies = (runId: string): QueryKey[] =>
  ["metrics", "episodes", "episode", "returns", "reward-history", "landmarks", "recorded-episode"].map(
    (family) => [family, runId],
  );

const EVALUATION_EVENTS: readonly string[] = [
  "evaluation_started",
  "evaluation_complete",
  "evaluation_ended",
] satisfies EventType[];

function isAboutEvaluation(item: unknown): boolean {
  return EVALUATION_EVENTS.includes((item as RunEvent).type);
}

const VERIFICATION_EVENTS: readonly string[] = [
  "verification_started",
  "verification_complete",
  "verification_ended",
] satisfies EventType[];

function isAboutVerification(item: unknown): boolean {
  return VERIFICATION_EVENTS.includes((item as RunEvent).type);
}

const CERTIFICATE_EVENTS: readonly string[] = [
  "certification_started",
  "certification_complete",
  "certification_ended",
] satisfies EventType[];

function isAboutCertificate(item: unknown): boolean {
  return CERTIFICATE_EVENTS.includes((item as RunEvent).type);
}

/** The snapshot comes right after the configuration. */
const CONFIG_EVENTS: readonly string[] = ["worker_config", "environment_initialized"] satisfies EventType[];

function isAboutConfig(item: unknown): boolean {
  return CONFIG_EVENTS.includes((item as RunEvent).type);
}

const CAPTURE_EVENT: EventType = "not_captured";

function isAboutCapture(item: unknown): boolean {
  return (item as RunEvent).type === CAPTURE_EVENT;
}

const ROLE_EVENT: EventType = "environment_role";

function isAboutRoles(item: unknown): boolean {
  return (item as RunEvent).type === ROLE_EVENT;
}

/** Marks queries as out of date; those on the screen are fetched again at once. */
export async function refresh(client: QueryClient, ...outOfDate: QueryKey[]): Promise<void> {
  await Promise.all(outOfDate.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Once for the whole page. */
export function useLiveRefresh(): void {
  const client = useQueryClient();
  useEffect(() => followQueries(client, live), [client]);
}

/** Subscribes to the topics of each query of the table while a component uses it; returns the function that stops. */
export function followQueries(client: QueryClient, connection: Pick<Live, "subscribe">): () => void {
  const followed = new Map<string, () => void>();
  const leave = (hash: string) => {
    followed.get(hash)?.();
    followed.delete(hash);
  };
  const look = (query: Query) => {
    if (query.getObserversCount() === 0) return leave(query.queryHash);
    if (followed.has(query.queryHash)) return;
    const ends = rowsFor(query.queryKey).map(([row, runId]) => follow(client, connection, row, runId));
    followed.set(query.queryHash, () => {
      for (const end of ends) end();
    });
  };
  const cache = client.getQueryCache();
  // Effects of child components run first: their queries are already in the cache.
  for (const query of cache.getAll()) look(query);
  const ignore = cache.subscribe(({ query }) => look(query));
  return () => {
    ignore();
    for (const hash of [...followed.keys()]) leave(hash);
  };
}

function rowsFor(queryKey: QueryKey): [Row, string][] {
  const [family, runId] = queryKey;
  if (typeof runId !== "string") return [];
  return TABLE.filter((row) => row.refreshes(runId)[0] === family).map((row) => [row, runId]);
}

function follow(
  client: QueryClient,
  connection: Pick<Live, "subscribe">,
  row: Row,
  runId: string,
): () => void {
  const { ask, cancel } = throttled(() => void refresh(client, row.refreshes(runId)), row.everyMs ?? 0);
  const leave = connection.subscribe(row.topic(runId), null, ({ items }) => {
    const isUnseen = row.everyMs !== undefined && document.hidden;
    if (!isUnseen && (row.when === undefined || items.some(row.when))) ask();
  });
  return () => {
    leave();
    cancel();
  };
}
