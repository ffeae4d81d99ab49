/** Whether the tour of the lab is shown. */
import { useState } from "react";
import { useKeys } from "@/lib/keys";
import { useRemembered } from "@/lib/remembered";

export function useTour() {
  const [wasSeen, setSeen] = useRemembered("lab.tour", false);
  const [isOn, setOn] = useState(false);
  const start = () => setOn(true);
  useKeys([{ keys: "w", title: "Take the tour", group: "Lab", run: start }]);
  return {
    isOn,
    start,
    /** Starts the tour unless it was seen before. */
    offer: () => !wasSeen && start(),
    end() {
      setOn(false);
      setSeen(true);
    },
  };
}
