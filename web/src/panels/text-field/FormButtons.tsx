/** The end of a form in a dialog: leave it as it was, or submit it. */
import { Button } from "@/ui/Button";

export interface FormButtonsProps {
  /** What submitting does. */
  submit?: string;
  isDisabled: boolean;
  onCancel: () => void;
}

export function FormButtons({ submit = "Save", isDisabled, onCancel }: FormButtonsProps) {
  return (
    <div className="flex justify-end gap-3">
      <Button onClick={onCancel}>Cancel</Button>
      <Button kind="primary" type="submit" disabled={isDisabled}>
        {submit}
      </Button>
    </div>
  );
}
