/** What a link to the list of datasets carries. */
import { type SearchOf, searchParams, text } from "@/lib/search";

export const datasetsSearch = searchParams({ q: text, env: text, sort: text });
export type DatasetsSearch = SearchOf<typeof datasetsSearch>;
