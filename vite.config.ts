import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: "renderer",
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../dist/renderer",
    emptyOutDir: true,
    target: "es2024",
    // The window runs under a strict content policy: no inlined data URIs, no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
