declare module "virtual:docs" {
  import type { DocEntry, DocTerm } from "@/entities/docs/doc";
  import type { DocElement } from "@/entities/docs/markdown";

  export const pages: DocEntry[];
  export const terms: DocTerm[];
  export const loads: Record<string, () => Promise<{ tree: DocElement[] }>>;
}
