// Fails when the first load of the lab is too heavy: the JS and CSS of index.html and of the lab's own page, with all
// they import, gzipped. Pages and workers loaded later are free. Reads the built page, so build it first.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const LIMITS_KB = { js: 240, css: 12 };
const folder = fileURLToPath(new URL("../../src/rl_lab/static/", import.meta.url));
if (!existsSync(`${folder}index.html`)) {
  console.error("budget: there is no built page. Next: python hatch_build.py");
  process.exit(1);
}

const html = readFileSync(`${folder}index.html`, "utf8");
const read = (file) => readFileSync(`${folder}assets/${file}`);
const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map((m) => m[1]);
const firstPage = readdirSync(`${folder}assets`).filter((file) => /^LabPage-.*\.js$/.test(file));

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

let tooHeavy = firstPage.length !== 1;
for (const [kind, limit] of Object.entries(LIMITS_KB)) {
  const files = [...loaded].filter((file) => file.endsWith(`.${kind}`));
  const kilobytes = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1000;
  console.log(
    `budget: first load ${kind} ${kilobytes.toFixed(1)} of ${limit} kB gzip in ${files.length} files`,
  );
  tooHeavy ||= kilobytes > limit;
}
if (/(?:src|href)="(?:https?:)?\/\//.test(html)) {
  console.error("budget: index.html asks another origin for something");
  tooHeavy = true;
}
process.exit(tooHeavy ? 1 : 0);
