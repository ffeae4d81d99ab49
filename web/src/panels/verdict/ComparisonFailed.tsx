/** Why there is no comparison. A measure or protocol that no compared run has is left with one button. */
import { Button } from "@/ui/Button";
import { ErrorState } from "@/ui/states";
import type { MeasureChoice } from "./MeasureSelects";

export interface ComparisonFailedProps {
  error: unknown;
  search: MeasureChoice;
  onSearch: (change: MeasureChoice) => void;
  onRetry: () => void;
}

export function ComparisonFailed({ error, search, onSearch, onRetry }: ComparisonFailedProps) {
  const isChosen = search.measure !== undefined || search.protocol !== undefined;
  return (
    <ErrorState
      error={error}
      onRetry={onRetry}
      action={
        isChosen && (
          <Button kind="primary" onClick={() => onSearch({ measure: undefined, protocol: undefined })}>
            Use the usual measure and protocol
          </Button>
        )
      }
    />
  );
}
