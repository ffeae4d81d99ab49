// Fails when the first load of the lab is too heavy: index.html, and the JS, CSS and fonts of it and of the lab's own
// page, with all they import, compressed as a browser on this machine receives them (Brotli; fonts are compressed
// already). The rest of the 250 kB that a first visit may weigh is for the lab's answers and pictures. Pages and
// workers loaded later are free. Reads the built page, so build it first.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const LIMITS_KB = { js: 190, css: 10, woff2: 30 };
const LIMIT_KB = 225;
const folder = fileURLToPath(new URL("../../src/rl_lab/static/", import.meta.url));
if (!existsSync(`${folder}index.html`)) {
  console.error("budget: there is no built page. Next: python hatch_build.py");
  process.exit(1);
}

const html = readFileSync(`${folder}index.html`, "utf8");
const read = (file) => readFileSync(`${folder}assets/${file}`);
const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css|woff2))"/g)].map((m) => m[1]);
const firstPage = readdirSync(`${folder}assets`).filter((file) => /^(?:LabPage|lab)-.*\.js$/.test(file));

const loaded = new Set();
const load = (file) => {
  if (loaded.has(file)) return;
  loaded.add(file);
  if (!file.endsWith(".js")) return;
  for (const [, imported] of read(file)
    .toString()
    .matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
    load(imported);
};
for (const file of [...named, ...firstPage]) load(file);

const weight = (bytes, kind) => (kind === "woff2" ? bytes.length : brotliCompressSync(bytes).length) / 1000;

let tooHeavy = firstPage.length !== 1;
let total = weight(html, "html");
for (const [kind, limit] of Object.entries(LIMITS_KB)) {
  const files = [...loaded].filter((file) => file.endsWith(`.${kind}`));
  const kilobytes = files.reduce((sum, file) => sum + weight(read(file), kind), 0);
  console.log(`budget: first load ${kind} ${kilobytes.toFixed(1)} of ${limit} kB in ${files.length} files`);
  total += kilobytes;
  tooHeavy ||= kilobytes > limit;
}
console.log(`budget: first load ${total.toFixed(1)} of ${LIMIT_KB} kB in all`);
tooHeavy ||= total > LIMIT_KB;
if (/(?:src|href)="(?:https?:)?\/\//.test(html)) {
  console.error("budget: index.html asks another origin for something");
  tooHeavy = true;
}
process.exit(tooHeavy ? 1 : 0);
