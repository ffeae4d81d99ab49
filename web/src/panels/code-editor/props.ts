/** What the caller of a code editor gives it. */
import type { CodeRemark } from "@/api/types";
import type { Word } from "./words";

export interface CodeEditorProps {
  /** Its name for screen readers. */
  label: string;
  value: string;
  /** Which text is open. When another one is, the keys for undo do not bring back the one before it. */
  file?: string;
  /** Absent: the code can be read and copied only. */
  onChange?: (value: string) => void;
  /** At lines of `value`; null while they are not known: those that are shown move with their lines. */
  remarks?: readonly CodeRemark[] | null;
  /** What completion offers besides Python's own words; see words.ts. */
  words?: readonly Word[];
  /** A new object moves the cursor to its line. */
  jump?: { line: number } | null;
  /** Ctrl-S and Ctrl-Enter. */
  onSave?: () => void;
  onCheck?: () => void;
  /** Its height in lines while the code is short; it grows to `mostLines`, then scrolls. */
  leastLines?: number;
  mostLines?: number;
}
