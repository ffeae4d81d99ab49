import { expect, test } from "vitest";
import { reportAddress } from "./ReportMenu";

test("a report is of the shown runs, grouped as the page is", () => {
  expect(reportAddress(["a", "b"], true, "html")).toBe(
    "/api/compare/report?runs=a&runs=b&format=html&group=true",
  );
});
