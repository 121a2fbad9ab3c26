import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The server mounts the result at /app/ and serves the same document at /.
export default defineConfig({
  base: "/app/",
  plugins: [react()],
  build: {
    outDir: "../hydramind/web/static/app",
    emptyOutDir: true,
    // A data: URL would need its own word in the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 1200,
  },
  test: { environment: "node", include: ["src/**/*.test.ts"] },
});
