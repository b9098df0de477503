/** `npm run dev`: starts the server, restarted on file changes, and the client with hot reload, which proxies `/api` to the server. */
import { join } from "node:path";
import process from "node:process";
import { NODE, ROOT, install } from "./install.mjs";
import { SERVER_ENVIRONMENT, SERVER_FLAGS, follow, launch } from "./launch.mjs";

install();
const PORT = process.env.PORT ?? "8080";
const server = launch(NODE, ["--watch", "--watch-preserve-output", ...SERVER_FLAGS, join(ROOT, "server", "main.ts")], {
  ...SERVER_ENVIRONMENT,
  PORT,
});
const client = launch(NODE, [join(ROOT, "node_modules", "vite", "bin", "vite.js")], { PORT });
follow([server, client]);
