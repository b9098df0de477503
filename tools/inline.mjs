/**
 * Vite plugin that inlines the boot script into the built page: as a separate file it would delay the first paint by one request. The
 * server's content security policy allows exactly this script by its hash.
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
