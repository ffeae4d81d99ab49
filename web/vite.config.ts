import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { shell } from "./plugins/shell";

const lab = "http://127.0.0.1:8642";

export default defineConfig({
  plugins: [react(), tailwindcss(), ...shell()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { target: "es2022", sourcemap: false, reportCompressedSize: false },
  worker: { format: "es" },
  server: {
    host: "127.0.0.1",
    port: 5173,
    strictPort: true,
    // The lab refuses foreign origins; in development the page's origin is Vite's, so it is rewritten here.
    proxy: { "/api": { target: lab, changeOrigin: true, ws: true, headers: { origin: lab } } },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"], setupFiles: ["src/testing.ts"] },
});
