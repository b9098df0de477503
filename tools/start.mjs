/** `npm start`: installs dependencies if needed, builds the client if its sources are newer, and runs the server on the pinned Node. */
import { join } from "node:path";
import { build } from "./build.mjs";
import { NODE, ROOT, install } from "./install.mjs";
import { SERVER_ENVIRONMENT, SERVER_FLAGS, follow, launch } from "./launch.mjs";

install();
build();
follow([launch(NODE, [...SERVER_FLAGS, join(ROOT, "server", "main.ts")], SERVER_ENVIRONMENT)]);
