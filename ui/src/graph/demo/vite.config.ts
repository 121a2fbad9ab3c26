// Builds the page that shows the drawings with synthetic data; no part of the product.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, target: "es2023", emptyOutDir: true },
});
