/** `npm run shell -- https://broker.example` makes the Android project of the native app, whose pages call that broker. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { build } from "./build.mjs";
import { ROOT, install } from "./install.mjs";
import { run } from "./run.mjs";
import { shellPage } from "./shell-page.mjs";

/** `webDir` of capacitor.config.json. */
const PAGES = join(ROOT, ".cache", "shell");
const PROJECT = join(ROOT, "android");

function fail(why) {
  console.error(why);
  process.exit(1);
}

/** The broker's origin from the command line. Android refuses plain HTTP, except to the machine itself. */
function brokerOf(text) {
  const address = URL.parse(text ?? "");
  if (!address || address.pathname !== "/" || !/^https?:$/.test(address.protocol)) {
    fail("Which server shall the app call? npm run shell -- https://broker.example");
  }
  return address.origin;
}

/** What is missing to build the project; it is made without. */
function missingTools() {
  const sdk = process.env.ANDROID_HOME ?? process.env.ANDROID_SDK_ROOT;
  return sdk !== undefined && existsSync(sdk) ? null : "the Android SDK (ANDROID_HOME names no folder), which Android Studio installs";
}

const broker = brokerOf(process.argv[2]);
install();
build();
rmSync(PAGES, { recursive: true, force: true });
cpSync(join(ROOT, "dist"), PAGES, { recursive: true });
const page = join(PAGES, "index.html");
writeFileSync(page, shellPage(readFileSync(page, "utf8"), broker));
if (!existsSync(PROJECT) && !(await run("cap", ["add", "android"]))) fail("The Android project could not be made; see above.");
if (!(await run("cap", ["sync", "android"]))) fail("The pages could not be copied into the Android project; see above.");
console.log(`\nandroid/ is ready; its app calls ${broker}, where APP_ORIGIN=https://localhost must be set.`);
const missing = missingTools();
console.log(missing === null ? "Build it with: cd android && ./gradlew assembleDebug" : `To build it, this machine lacks ${missing}.`);
