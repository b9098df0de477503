/** Puts theme, colour convention, text size and language on the page before its first paint; a build writes it into the page, and the content policy knows its hash. */
(function () {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = /(?:^|; )look=([a-z]+)\.([a-z-]+)/.exec(document.cookie);

  /** The one place that knows what "system" means; `src/gateway/look.ts` calls it by changing `data-look`. */
  function paint() {
    const look = root.dataset.look ?? "system";
    const theme = look === "system" ? (dark.matches ? "dark" : "light") : look;
    root.dataset.theme = theme;
    document.querySelector("meta[name=theme-color]")?.setAttribute("content", theme === "dark" ? "#060910" : "#ebedf1");
  }

  root.dataset.look = chosen?.[1] ?? "system";
  root.dataset.updown = chosen?.[2] ?? "red-up";
  root.dataset.text = /(?:^|; )text=([a-z]+)/.exec(document.cookie)?.[1] ?? "standard";
  try {
    root.lang = window.localStorage.getItem("language") ?? "en";
  } catch {
    root.lang = "en";
  }
  paint();
  dark.addEventListener("change", paint);
  new MutationObserver(paint).observe(root, { attributeFilter: ["data-look"] });
})();
