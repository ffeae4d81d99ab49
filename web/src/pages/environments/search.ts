/** What a link to the environments carries. */
import { searchParams, text } from "@/lib/search";

export const environmentsSearch = searchParams({ q: text, env: text });
