import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { compress } from "./plugins/compress.ts";
import { docs } from "./plugins/docs.ts";
import { firstLoad, shell } from "./plugins/shell.ts";

const lab = "http://127.0.0.1:8642";

export default defineConfig({
  plugins: [react(), tailwindcss(), ...shell(), docs(), compress()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstLoad }] } } },
  },
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    fs: { allow: [".."] }, // the pictures of docs/
    // The lab refuses foreign origins; in development the page's origin is Vite's, so it is rewritten here.
    proxy: { "/api": { target: lab, changeOrigin: true, ws: true, headers: { origin: lab } } },
  },
  test: {
    environment: "happy-dom",
    include: ["{src,plugins}/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing.ts"],
    // One page for all files of a worker: a new one for each takes eight times as long. Tests pass in any order.
    isolate: false,
  },
});
