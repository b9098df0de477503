/** Tests the import rules: writes forbidden and allowed imports into the rooms and runs the compiler and the linter on them. */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

/** The folder of a forbidden import, what it imports, and whether the compiler rejects it too (packages are checked by the linter only). */
interface ForbiddenImport {
  folder: string;
  imports: string;
  compiler: boolean;
}

const HANDLER = "#server/api/handler.ts";
const forbidden: ForbiddenImport[] = [
  { folder: "contract", imports: HANDLER, compiler: true },
  { folder: "contract", imports: "axios", compiler: false },
  { folder: "contract", imports: "xstate", compiler: false },
  { folder: "machines", imports: HANDLER, compiler: true },
  { folder: "machines", imports: "axios", compiler: false },
  { folder: "workers", imports: "#machines/advance.ts", compiler: true },
  { folder: "workers", imports: "#src/gateway/storage.ts", compiler: true },
  { folder: "workers", imports: "axios", compiler: false },
  { folder: "src", imports: HANDLER, compiler: true },
  { folder: "src/gateway", imports: "#src/streams/connection.ts", compiler: false },
  { folder: "src/streams", imports: "#src/screens/home/index.tsx", compiler: false },
  { folder: "src/streams", imports: "#workers/market.worker.ts", compiler: false },
  { folder: "src/streams", imports: "axios", compiler: false },
  { folder: "src/streams", imports: "socket.io-client", compiler: false },
  { folder: "src/ui", imports: "#src/gateway/api.ts", compiler: false },
  { folder: "src/ui", imports: "#machines/order.ts", compiler: false },
  { folder: "src/screens", imports: "#src/screens/home/index.tsx", compiler: false },
  { folder: "src/screens", imports: "#src/routes.tsx", compiler: false },
  { folder: "src/screens", imports: "axios", compiler: false },
  { folder: "src/screens", imports: "react-router-dom", compiler: false },
  { folder: "src/ui", imports: "react-router-dom", compiler: false },
  { folder: "server", imports: "#src/gateway/api.ts", compiler: true },
  { folder: "server", imports: "react", compiler: false },
  { folder: "server/venue", imports: HANDLER, compiler: false },
  { folder: "server/venue", imports: "#machines/order.ts", compiler: false },
  { folder: "server/venue", imports: "#server/kernel/refusal.ts", compiler: false },
  { folder: "server/db", imports: HANDLER, compiler: false },
  { folder: "server/ledger", imports: HANDLER, compiler: false },
  { folder: "server/api", imports: "#server/realtime/fan-out.ts", compiler: false },
  { folder: "server/jobs", imports: HANDLER, compiler: false },
  { folder: "server/news", imports: HANDLER, compiler: false },
  { folder: "server/push", imports: HANDLER, compiler: false },
  { folder: "server/trading/sequencer", imports: "#server/push/push.ts", compiler: false },
  { folder: "server/rules", imports: "#server/trading/sequencer/batch.ts", compiler: false },
  { folder: "server/alerts", imports: HANDLER, compiler: false },
  { folder: "server/accounts", imports: HANDLER, compiler: false },
  { folder: "server/trading/sequencer", imports: "#server/trading/clearing/fills.ts", compiler: false },
  { folder: "server/trading/clearing", imports: "#server/trading/order-entry/place.ts", compiler: false },
  { folder: "server/trading/matching-engine", imports: "#server/trading/risk/forced-close.ts", compiler: false },
  { folder: "server/trading/order-entry", imports: "#server/trading/triggers/execute.ts", compiler: false },
];
/** Allowed imports, to detect a rule that forbids too much. */
const allowed: Omit<ForbiddenImport, "compiler">[] = [
  { folder: "contract", imports: "zod/mini" },
  { folder: "machines", imports: "#contract/order.ts" },
  { folder: "workers", imports: "socket.io-client" },
  { folder: "src/gateway", imports: "axios" },
  { folder: "src/gateway", imports: "#src/paths.ts" },
  { folder: "src/streams", imports: "#src/gateway/api.ts" },
  { folder: "src/ui", imports: "#src/paths.ts" },
  { folder: "src/screens", imports: "#src/screens/ticket/ticket.tsx" },
  { folder: "server/api", imports: "#server/trading/order-entry/place.ts" },
  { folder: "server/venue", imports: "#contract/order.ts" },
  { folder: "server/venue", imports: "#server/kernel/request-thread.ts" },
  { folder: "server/api", imports: "#server/accounts/member-facts.ts" },
  { folder: "server/news", imports: "#server/db/database.ts" },
  { folder: "server/trading/risk", imports: "#server/trading/order-entry/close.ts" },
];

/** In the ignore file, so that files left by a killed run are not committed. */
const PROBE = "zz-room-probe";
const root = join(import.meta.dirname, "..");
const fileOf = ({ folder, imports }: Omit<ForbiddenImport, "compiler">): string =>
  `${folder}/${PROBE}/${imports.replaceAll(/[^a-z]+/g, "-").replace(/^-/, "")}.ts`;

/** Runs a tool of node_modules. @returns its output, even if it fails */
function run(tool: string, ...args: string[]): Promise<string> {
  return new Promise((answer) => {
    execFile(join(root, "node_modules/.bin", tool), args, { cwd: root, maxBuffer: 1e8 }, (_problem, out, err) => answer(out + err));
  });
}

/** A handler map that lacks one endpoint. */
const MISSING_HANDLER = `server/${PROBE}/missing-handler.ts`;
const MISSING_HANDLER_TEXT = `/** A probe. */
import type { Handlers } from "${HANDLER}";
declare const most: Omit<Handlers, "placeOrder">;
export const all: Handlers = most;
`;

/** Links to missing routes or without required parameters, and valid links; one per line. */
const LINKS = `src/screens/${PROBE}/links.tsx`;
const INVALID_LINKS = [
  '<Link to="/trade/nowhere">gone</Link>',
  '<Link to="/trade/positionDetail">which order?</Link>',
  "<Link to={`/trade/positionDetail?orderNo=${code}`}>not encoded</Link>",
  '<Link to={pathTo("/market/stockDetail", { id: code })}>no such name</Link>',
  '<Link to={pathTo("/favorite/moreList", { by: code })}>no such ranking</Link>',
  '<Navigate to="/trade/nowhere" />',
  '<ButtonLink to="/trade/nowhere">gone</ButtonLink>',
  '<Row title="gone" to="/trade/nowhere" />',
  '<BackHeader title="gone" fallback="/trade/nowhere" />',
  '<EmptyState why="gone" action={{ label: "gone", to: "/trade/nowhere" }} />',
  '<button onClick={() => void navigate("/trade/nowhere")}>gone</button>',
  '<button onClick={() => void showNotification("gone", "gone", "/trade/nowhere")}>gone</button>',
  '<button onClick={() => goTo("/trade/nowhere")}>gone</button>',
];
const VALID_LINKS = [
  '<Link to="/trade/index">trade</Link>',
  '<Link to="/market/stockDetail">the one opened last</Link>',
  '<Link to={pathTo("/trade/positionDetail", { orderNo: code })}>this order</Link>',
  "<button onClick={() => void navigate(-1)}>back</button>",
];
const LINKS_TEXT = `/** A probe. */
import { goTo } from "#src/gateway/shell.ts";
import { showNotification } from "#src/gateway/notification.ts";
import { pathTo } from "#src/paths.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Link, Navigate, useNavigate } from "#src/ui/link.tsx";
import { Row } from "#src/ui/row.tsx";
import { BackHeader } from "#src/ui/screen.tsx";
import { EmptyState } from "#src/ui/state.tsx";
export function Probe({ code }: { code: string }) {
  const navigate = useNavigate();
  void [goTo, showNotification, pathTo, navigate];
  return [
${[...INVALID_LINKS, ...VALID_LINKS].map((link) => `${link},`).join("\n")}
  ];
}
`;

const probes = [...forbidden, ...allowed];
let compiled = "";
let linted = "";

beforeAll(async () => {
  const folders = new Set(probes.map(({ folder }) => join(root, folder, PROBE)));
  try {
    for (const folder of folders) await mkdir(folder, { recursive: true });
    for (const probe of probes) await writeFile(join(root, fileOf(probe)), `/** A probe. */\nexport * as probe from "${probe.imports}";\n`);
    await writeFile(join(root, MISSING_HANDLER), MISSING_HANDLER_TEXT);
    await writeFile(join(root, LINKS), LINKS_TEXT);
    [compiled, linted] = await Promise.all([
      run("tsc", "-b", "contract", "machines", "workers", "src", "server"),
      run("oxlint", "-f", "unix", ...probes.map(fileOf)),
    ]);
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

const problems = (output: string, file: string): string[] => output.split("\n").filter((line) => line.startsWith(file));

describe("the import rules", () => {
  it.each(forbidden)("$folder may not import $imports", (probe) => {
    const lines = problems(linted, fileOf(probe));
    expect(lines.join("\n")).toContain("no-restricted-imports");
    if (probe.compiler) expect(problems(compiled, fileOf(probe)).join("\n")).toMatch(/TS6307/);
  });

  it.each(allowed)("$folder may import $imports", (probe) => {
    expect(problems(linted, fileOf(probe)).join("\n")).not.toContain("no-restricted-imports");
  });

  it.each(INVALID_LINKS)("does not compile %s", (link) => {
    const line = LINKS_TEXT.split("\n").indexOf(`${link},`) + 1;
    expect(problems(compiled, `${LINKS}(${line},`).join("\n")).toMatch(/error TS2/);
  });

  it("compiles valid links", () => {
    const first = LINKS_TEXT.split("\n").indexOf(`${VALID_LINKS[0]},`) + 1;
    const lines = VALID_LINKS.map((_link, at) => `${LINKS}(${first + at},`);
    expect(lines.flatMap((line) => problems(compiled, line))).toEqual([]);
  });

  it("does not compile a server without one of the handlers", () => {
    expect(problems(compiled, MISSING_HANDLER).join("\n")).toMatch(/TS2741.*placeOrder/);
  });
});
