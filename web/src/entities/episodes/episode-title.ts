/** How an episode is called. Evaluation episodes of a captured script are numbered apart. */
import { formatCount } from "@/lib/format";

const FIRST_EVALUATION = 2 ** 40;

export const episodeTitle = (episode: number): string =>
  episode < FIRST_EVALUATION
    ? `Episode ${formatCount(episode)}`
    : `Evaluation episode ${formatCount(episode - FIRST_EVALUATION)}`;
