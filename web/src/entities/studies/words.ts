/** Settings of a variant as text. Pure. */
import type { Variant } from "@/api/types";
import { valueText } from "@/entities/run-labels/settings";

export const settingText = (variant: Variant, name: string): string =>
  name in variant.settings ? valueText(variant.settings[name]) : "";

/** The names of settings in which variants differ, in the order in which they first appear. */
export function differingNames(variants: readonly Variant[]): string[] {
  const names = [...new Set(variants.flatMap(({ settings }) => Object.keys(settings)))];
  const differs = (name: string) =>
    new Set(variants.map((one) => JSON.stringify(one.settings[name]))).size > 1;
  return names.filter(differs);
}
