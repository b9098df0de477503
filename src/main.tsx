/** Boots the client: language, configuration, app; the app mounts only after the configuration call has succeeded. */
import "./styles/index.css";
import { createRoot } from "react-dom/client";
import { startLanguage } from "#src/gateway/language.ts";
import { isNative, paintSystemBars } from "#src/gateway/shell.ts";
import { Startup } from "./startup.tsx";

const place = document.getElementById("app");
if (!place) throw new Error("index.html has no #app");
const root = createRoot(place);
await startLanguage();
if (isNative()) {
  paintSystemBars();
  void import("#src/actors/back-button.ts").then(({ startBackButton }) => startBackButton());
}
root.render(<Startup />);
