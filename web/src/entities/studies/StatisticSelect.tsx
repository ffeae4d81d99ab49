/** Which statistic of the seeds a learning curve draws. */
import { Select } from "@/ui/Select";
import { type CurveStatistic, STATISTICS } from "./statistics";

export interface StatisticSelectProps {
  value: CurveStatistic;
  /** Without a value for the usual one, the mean. */
  onChange: (statistic: CurveStatistic | undefined) => void;
}

export function StatisticSelect({ value, onChange }: StatisticSelectProps) {
  return (
    <div className="w-44">
      <Select
        label="Statistic over the seeds"
        value={value}
        options={(Object.keys(STATISTICS) as CurveStatistic[]).map((statistic) => ({
          value: statistic,
          title: STATISTICS[statistic],
        }))}
        onChange={(next) => onChange(next === "mean" ? undefined : next)}
      />
    </div>
  );
}
