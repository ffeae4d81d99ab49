/** What a job would make: episodes, steps, bytes, and whether it can start. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { DatasetForecast } from "@/api/types";
import { cx } from "@/ui/cx";
import { TextWithCode } from "@/ui/states";
import { forecastText, whyRefused } from "./forecast";

export function ForecastLine({ forecast }: { forecast: UseQueryResult<DatasetForecast> }) {
  const { data, error, isFetching } = forecast;
  const refused = data ? whyRefused(data) : null;
  const text = error ? error.message : data ? forecastText(data) : isFetching ? "Counting …" : "";
  return (
    <div role="status" className={cx("text-xs transition-opacity", isFetching && data && "opacity-60")}>
      <p className={cx("figures", error ? "text-warn" : "text-ink-2")}>{text}</p>
      {refused && (
        <p className="text-warn">
          <TextWithCode text={refused} />
        </p>
      )}
      {(data?.notes ?? []).map((note) => (
        <p key={note} className="text-ink-3">
          <TextWithCode text={note} />
        </p>
      ))}
    </div>
  );
}
