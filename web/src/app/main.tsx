/** Entry point. The session comes first, so that no request is sent without its cookie. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followSignIns, startSession } from "@/api/session";
import { fetchAhead } from "@/lib/chunks";
import { queryClient } from "./query-client";
import { router } from "./routes";
import "./styles.css";

void startSession();
followSignIns();

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

// After the first page has settled; the other pages then open at once, and also while the lab is away.
setTimeout(fetchAhead, 4_000);
