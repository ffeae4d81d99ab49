/** What a link to the stage carries: an environment, and the checkpoint that acts in it. */
import { type SearchOf, searchParams, text } from "@/lib/search";

export const playSearch = searchParams({ env: text, run: text, checkpoint: text });
export type PlaySearch = SearchOf<typeof playSearch>;
