/** What a link to the list of studies carries. */
import { STUDY_STATUSES } from "@/entities/studies/status";
import { oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const studiesSearch = searchParams({ q: text, status: oneOf(STUDY_STATUSES) });
export type StudiesSearch = SearchOf<typeof studiesSearch>;
