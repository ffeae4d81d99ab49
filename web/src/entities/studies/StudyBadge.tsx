import type { StudyStatus, VariantStatus } from "@/api/types";
import { cx } from "@/ui/cx";
import { STUDY_DOTS, VARIANT_DOTS } from "./status";

const WORDS: Record<string, string> = {
  running: "text-live",
  finished: "text-good",
  failed: "text-warn",
};

/** A dot and a word, because colour alone is not accessible. */
function Status({ word, dot }: { word: string; dot: string }) {
  return (
    <span className={cx("label inline-flex items-center gap-2", WORDS[word] ?? "text-ink-2")}>
      <span aria-hidden="true" className={cx("size-2 shrink-0 rounded-full", dot)} />
      <span className="sentence">{word}</span>
    </span>
  );
}

export const StudyBadge = ({ status }: { status: StudyStatus }) => (
  <Status word={status} dot={STUDY_DOTS[status]} />
);

export const VariantBadge = ({ status }: { status: VariantStatus }) => (
  <Status word={status} dot={VARIANT_DOTS[status]} />
);
