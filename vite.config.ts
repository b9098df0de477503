/** Vite and Vitest configuration: build and development server of the client, and the test projects. */
import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defaultClientConditions } from "vite";
import { defineConfig } from "vitest/config";
import { isolatedTests } from "./tools/database-tests.mjs";
import { inline } from "./tools/inline.mjs";
import { lean } from "./tools/lean.mjs";
import { notices } from "./tools/notices.mjs";
import { TestSequence } from "./tools/test-sequence.mjs";
import { words } from "./tools/words.mjs";

/** Address of the development server that `npm run dev` starts. */
const broker = `http://localhost:${process.env["PORT"] ?? "8080"}`;

/** The oldest browsers with top-level await, `:has()` and cascade layers; they cover phones of the last four years. */
const target = ["chrome115", "safari16.4", "firefox121"];

/** Style sheets load in any order, so each one begins with the order of the cascade layers. */
const layers: Plugin = {
  name: "cascade-layers",
  enforce: "pre",
  transform: {
    filter: { id: /\.css$/ },
    handler: (code) => ({ code: `@layer reset, tokens, base, ui, screens;\n${code}`, map: null }),
  },
};

/** A group of some modules and all their imports that are in no earlier group. */
const whole = (name: string, ...paths: string[]) => ({ name, test: (id: string) => paths.some((path) => id.endsWith(`/src/${path}`)) });

/**
 * Bundle groups. Modules that always load together form one file, which compresses better and loads faster than thirty small ones. The
 * startup libraries have their own file, because they rarely change between releases. The bundler splits the code of the screens.
 */
const groups = [
  { name: "libraries", test: /[\\/]node_modules[\\/]/, tags: ["$initial" as const] },
  whole("startup", "startup.tsx"),
  // With what both sign-in and the home screen use, so that neither loads the other.
  whole("app", "app.tsx", "actors/request.ts", "ui/choice.tsx"),
  whole("form", "screens/login/sign-in-form.tsx"),
  whole("home", "screens/home/home.tsx"),
  // All endpoints that are not needed at startup, without their imports.
  { name: "calls", test: (id: string) => id.endsWith("/contract/endpoints.ts") },
  { name: "shared", test: /[\\/]src[\\/](?:ui|streams|screens[\\/]quote)[\\/]|[\\/]node_modules[\\/]/, minShareCount: 4 },
  // What only some screens share, as few files instead of many small ones, each of which the route table would name.
  { name: "icons", test: /[\\/]node_modules[\\/]lucide-react[\\/]/, minShareCount: 2 },
  { name: "account-parts", test: /[\\/]src[\\/]screens[\\/]information[\\/]/, minShareCount: 2 },
  { name: "streams", test: /[\\/]src[\\/](?:streams|actors)[\\/]/, minShareCount: 2 },
  whole("ticket", "screens/ticket/ticket.tsx"),
  whole("chart", "screens/chart/price-chart.tsx"),
].map((group, nth, all) => ({ ...group, priority: all.length - nth }));

/** Files that are loaded before any route is: naming them for preloading would only lengthen the route table. */
const STARTED = /^assets\/(?:rolldown-runtime|libraries|startup|app|calls)-/;

const noticesOf = notices();
/** More processes than this want more memory than they save time. */
const CORES = Math.min(8, availableParallelism());
/** Setup of tests that open databases and start servers: removes what they leave behind and stops them at the end of the run. */
const run = {
  globalSetup: "tests/support/global-setup.ts",
  setupFiles: "tests/support/worker-setup.ts",
  // One more than the cores: these tests often wait for a process, a page or the disk, and measure no time.
  maxWorkers: CORES + 1,
};

/** Server tests that replace modules. */
const isolated = isolatedTests(import.meta.dirname);

export default defineConfig({
  plugins: [react(), layers, words(), lean(), inline(), noticesOf.page()],
  // Prefers the newer JavaScript that some libraries offer (RxJS does): it is smaller.
  resolve: { conditions: ["es2015", ...defaultClientConditions] },
  server: { proxy: { "/api": { target: broker, ws: true } } },
  preview: { proxy: { "/api": { target: broker, ws: true } } },
  build: {
    target,
    // Every target browser supports modulepreload, and the content security policy forbids inline scripts.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, deps, { hostType }) => (hostType === "html" ? deps : deps.filter((dep) => !STARTED.test(dep))),
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
      },
    },
  },
  // The worker uses the contract's constants and calculations but no schemas. Marking these as pure drops zod, a third of its size.
  worker: {
    format: "es",
    plugins: () => [lean(), noticesOf.worker()],
    rolldownOptions: { treeshake: { manualPureFunctions: ["z", "endpoint"] } },
  },
  test: {
    maxWorkers: CORES,
    sequence: { sequencer: TestSequence },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "tests/{contract,machines,workers,src,locales,support,mutation}/**/*.test.{ts,tsx}",
            // The project rules.
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
          exclude: isolated,
          // Few processes for all files: imports, the embedded database and compiled code are shared.
          isolate: false,
          pool: "forks",
          ...run,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Before "server" by name, so that the last files to run are short ones.
          name: "isolated-server",
          include: isolated,
          // An optimising compile of the embedded database in many short processes costs more than it saves.
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
          // The browser and the embedded database are shared by the files of a process.
          isolate: false,
          pool: "forks",
          ...run,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
