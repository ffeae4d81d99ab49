/** Whether the tour of the lab is shown. */
import { useState } from "react";
import { useKeys } from "@/lib/keys";
import { useRemembered } from "@/lib/remembered";

export function useTour() {
  const [wasSeen, setSeen] = useRemembered("lab.tour", false);
  const [isOn, setOn] = useState(false);
  const start = () => setOn(true);
  useKeys([{ keys: "w", title: "Walk around the page", group: "Lab", run: start }]);
  return {
    isOn,
    start,
    /** Only for those who have not had it. */
    offer: () => !wasSeen && start(),
    end() {
      setOn(false);
      setSeen(true);
    },
  };
}
