/** Which episodes of a run are listed and in what order, as a link carries it. */
import type { QueryOf } from "@/api/types";
import { keysOf } from "@/lib/keys-of";
import { count, flag, number, oneOf, type SearchOf, searchParams } from "@/lib/search";

type Asked = Required<QueryOf<"list_episodes">>;

export const SORT_TITLES: Record<Asked["sort"], string> = {
  "-episode": "Newest first",
  episode: "Oldest first",
  "-reward": "Best return first",
  reward: "Worst return first",
  "-length": "Longest first",
  length: "Shortest first",
};
export const EPISODE_SORTS = keysOf(SORT_TITLES);

const ENDING_TITLES: Record<NonNullable<Asked["ending"]>, string> = {
  terminated: "terminated",
  truncated: "truncated",
};
export const ENDINGS = keysOf(ENDING_TITLES);

export const ROLE_TITLES: Record<NonNullable<Asked["role"]>, string> = {
  training: "training",
  evaluation: "evaluation",
  all: "training and evaluation",
};
export const EPISODE_ROLES = keysOf(ROLE_TITLES);

export const EPISODE_SEARCH = {
  min_reward: number,
  max_reward: number,
  min_length: count,
  max_length: count,
  min_timestep: count,
  max_timestep: count,
  ending: oneOf(ENDINGS),
  role: oneOf(EPISODE_ROLES),
  noted: flag,
  episodes: oneOf(EPISODE_SORTS),
};

const episodeSearch = searchParams(EPISODE_SEARCH);
export type EpisodeSearch = SearchOf<typeof episodeSearch>;
