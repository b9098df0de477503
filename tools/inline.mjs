/**
 * Puts the script that must run before the first paint into the built page itself: a file of its own would hold the page up for as long as
 * a phone takes to fetch it. The server lets exactly this script run, by its hash.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const BOOT = '<script src="/boot.js"></script>';

/** @returns {import("vite").Plugin} */
export const inline = () => {
  let publicDir = "";
  return {
    name: "inline",
    apply: "build",
    configResolved(config) {
      publicDir = config.publicDir;
    },
    transformIndexHtml: {
      order: "post",
      async handler(page) {
        if (!page.includes(BOOT)) return page;
        const script = await readFile(join(publicDir, "boot.js"), "utf8");
        return page.replace(BOOT, () => `<script>\n${script}</script>`);
      },
    },
  };
};
