/** How the client is built and served while developing, and which tests there are. */
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";
import { inline } from "./tools/inline.mjs";
import { lean } from "./tools/lean.mjs";
import { notices } from "./tools/notices.mjs";
import { words } from "./tools/words.mjs";

/** The broker while developing: `npm run dev` starts it there. */
const broker = `http://localhost:${process.env["PORT"] ?? "8080"}`;

/** Old enough for phones of the last four years, new enough for top-level await, `:has()` and cascade layers. */
const target = ["chrome115", "safari16.4", "firefox121"];

/** Style sheets arrive in any order, so each begins by saying in which order the cascade layers stand. */
const layers: Plugin = {
  name: "cascade-layers",
  enforce: "pre",
  transform: {
    filter: { id: /\.css$/ },
    handler: (code) => ({ code: `@layer reset, tokens, base, ui, screens;\n${code}`, map: null }),
  },
};

/** A group of one module and everything it imports that no earlier group has taken. */
const whole = (name: string, path: string) => ({ name, test: (id: string) => id.endsWith(`/src/${path}.tsx`) });

/**
 * What is always loaded together is one file, for it compresses better than its pieces, and a phone fetches one file much sooner than
 * thirty: first the libraries of the entrance, which outlive many releases, then the entrance itself, then the app behind it, the home
 * screen, the calls, what many screens share, the ticket, the chart. The bundler divides the screens' own code.
 */
const groups = [
  { name: "libraries", test: /[\\/]node_modules[\\/]/, tags: ["$initial" as const] },
  whole("entrance", "startup"),
  whole("app", "app"),
  whole("form", "screens/login/sign-in-form"),
  whole("home", "screens/home/home"),
  // Every call beyond the entrance's, in one file that drags nothing else along.
  { name: "calls", test: (id: string) => id.endsWith("/contract/endpoints.ts") },
  { name: "shared-ui", test: /[\\/]src[\\/](?:ui|streams|screens[\\/]quote)[\\/]|[\\/]node_modules[\\/]/, minShareCount: 4 },
  whole("ticket", "screens/ticket/ticket"),
  whole("chart", "screens/chart/price-chart"),
].map((group, nth, all) => ({ ...group, priority: all.length - nth }));

const noticesOf = notices();
/** Tests that open databases and start servers: what they leave behind is taken away with the run, and they end with it. */
const run = { globalSetup: "tests/support/global-setup.ts", setupFiles: "tests/support/worker-setup.ts" };

export default defineConfig({
  plugins: [react(), layers, words(), lean(), inline(), noticesOf.page()],
  // Where a library offers newer JavaScript (RxJS does), it is taken: smaller, without the helpers old browsers need.
  resolve: { conditions: ["es2015", ...defaultClientConditions] },
  server: { proxy: { "/api": { target: broker, ws: true } } },
  preview: { proxy: { "/api": { target: broker, ws: true } } },
  build: {
    target,
    // Every browser of the target knows modulepreload, and the content policy forbids inline scripts anyway.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  // The worker needs the contract's words and sums, never its schemas: declaring those pure leaves zod out of it, a third of its size.
  worker: {
    format: "es",
    plugins: () => [lean(), noticesOf.worker()],
    rolldownOptions: { treeshake: { manualPureFunctions: ["z", "endpoint"] } },
  },
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "tests/{contract,machines,workers,src,locales,support,mutation}/**/*.test.{ts,tsx}",
            // The rules of the whole project.
            "tests/*.test.ts",
          ],
          testTimeout: 20_000,
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts"],
          // As the product is started: no second compiler for the embedded database in each of many short processes.
          execArgv: ["--liftoff-only"],
          pool: "forks",
          ...run,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["tests/journeys/**/*.test.ts"],
          pool: "forks",
          ...run,
          // Two at once, each with its own server and browser: a journey waits for what the product says and measures no time.
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
