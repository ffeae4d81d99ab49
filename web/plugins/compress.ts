/** Writes a Brotli and a gzip copy next to every text file of the built page; the lab serves them as they are. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|html|svg|json)$/;
/** Below this, headers weigh more than what is saved. */
const SMALLEST_BYTES = 512;

export function compress(): Plugin {
  let folder = "";
  return {
    name: "compress",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true }) as string[])
        compressFile(join(folder, name));
    },
  };
}

function compressFile(path: string) {
  if (!TEXT.test(path) || statSync(path).size < SMALLEST_BYTES) return;
  const bytes = readFileSync(path);
  writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
