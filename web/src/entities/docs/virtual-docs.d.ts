declare module "virtual:docs" {
  import type { DocElement, DocEntry, DocTerm } from "@/entities/docs/doc";

  export const pages: DocEntry[];
  export const terms: DocTerm[];
  export const loads: Record<string, () => Promise<{ tree: DocElement[] }>>;
}
