/** Whether the tour is shown. Outside the page it explains, so that the header and a link can start it. */
import { createStore } from "@/lib/store";

export const isTourOn = createStore(false);
