/** One column of the table of runs. */
import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import type { ColumnHead } from "@/panels/table/sort";

export interface Column extends ColumnHead {
  /** Cannot be hidden. */
  isFixed?: boolean;
  cell: (run: Run, colour: string) => ReactNode;
}
