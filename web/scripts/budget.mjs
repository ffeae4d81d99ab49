// Fails when the first load is too heavy: the JS and CSS that index.html itself asks for, gzipped.
// Lazy chunks are free. Reads the built page, so build it first.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMITS_KB = { js: 240, css: 12 };
const folder = fileURLToPath(new URL("../../src/rl_lab/static/", import.meta.url));
if (!existsSync(`${folder}index.html`)) {
  console.error("budget: there is no built page. Next: python hatch_build.py");
  process.exit(1);
}

const html = readFileSync(`${folder}index.html`, "utf8");
const initial = (kind) =>
  [...html.matchAll(new RegExp(`(?:src|href)="/([^"]+\\.${kind})"`, "g"))].map((m) => m[1]);
let tooHeavy = false;
for (const [kind, limit] of Object.entries(LIMITS_KB)) {
  const bytes = initial(kind).reduce(
    (sum, file) => sum + gzipSync(readFileSync(folder + file), { level: 9 }).length,
    0,
  );
  const kilobytes = bytes / 1000;
  console.log(`budget: ${kind} ${kilobytes.toFixed(1)} of ${limit} kB gzip`);
  tooHeavy ||= kilobytes > limit;
}
if (/(?:src|href)="(?:https?:)?\/\//.test(html)) {
  console.error("budget: index.html asks another origin for something");
  tooHeavy = true;
}
process.exit(tooHeavy ? 1 : 0);
