/** The list benchmark's page with the app's own list, rows, cells, streams and worker, unchanged. */
import "#src/styles/index.css";
import { useMemo } from "react";
import { createRoot } from "react-dom/client";
import { HashRouter } from "react-router-dom";
import { startLanguage } from "#src/gateway/language.ts";
import { write } from "#src/gateway/storage.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { startMarket } from "#src/streams/market.ts";

function List() {
  const table = useInstruments();
  const sections = useMemo(
    () =>
      (table?.categories ?? []).map(({ code, en }) => {
        const items = (table?.list ?? []).filter(({ category }) => category === code);
        return { id: code, title: en, note: String(items.length), items };
      }),
    [table],
  );
  return table && <QuoteList label="Stocks" sections={sections} />;
}

const place = document.getElementById("app");
if (!place) throw new Error("the page has no #app");
await startLanguage();
write("account", "bench");
write("tokend", "bench");
createRoot(place).render(
  <HashRouter>
    <List />
  </HashRouter>,
);
// Watches the whole table, so that the worker processes all ticks.
startMarket({ all: true });
