/** A picture of numbers that can also be read as a table. */
import { type ReactNode, useState } from "react";
import { Button } from "@/ui/Button";
import type { NumberTable } from "./figures";

export interface FiguresProps {
  title: string;
  table: NumberTable;
  children: ReactNode;
}

export function Figures({ title, table, children }: FiguresProps) {
  const [isTable, setIsTable] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      {isTable ? <Numbers title={title} table={table} /> : children}
      <div>
        <Button small kind="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? "Show the picture" : "Show the numbers"}
        </Button>
      </div>
    </div>
  );
}

function Numbers({ title, table }: Pick<FiguresProps, "title" | "table">) {
  return (
    <section aria-label={`${title} as a table`} tabIndex={0} className="max-h-112 overflow-auto">
      <table className="figures w-full text-xs">
        <thead className="sticky top-0 bg-surface">
          <tr>
            {table.heads.map((head, i) => (
              <th key={i} scope="col" className={`border-b py-1.5 pr-4 font-semibold ${sideOf(i)}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, r) => (
            <tr key={r} className="border-b last:border-0">
              {row.map((cell, i) =>
                i === 0 ? (
                  <th key={i} scope="row" className="py-1 pr-4 text-left font-normal whitespace-nowrap">
                    {cell}
                  </th>
                ) : (
                  <td key={i} className="py-1 pr-4 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const sideOf = (column: number): string => (column === 0 ? "text-left" : "text-right");
