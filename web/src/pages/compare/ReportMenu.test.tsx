import { expect, test } from "vitest";
import { reportAddress } from "./ReportMenu";

test("a report is of the shown runs, grouped as the page is", () => {
  expect(reportAddress({ runIds: ["a", "b"], isGrouped: true, question: { measure: "best" } }, "html")).toBe(
    "/api/compare/report?runs=a&runs=b&format=html&group=true&measure=best",
  );
});
