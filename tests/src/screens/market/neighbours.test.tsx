// @vitest-environment happy-dom
/** Tests the buttons of a detail that move through its list: pressed again before the next page is shown, they go on from that page. */
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { Neighbours } from "#src/screens/market/neighbours.tsx";
import { rememberOrigin } from "#src/screens/quote/origin-list.ts";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

const list = ["2330", "2317", "2454", "2603"].map((code) => ({ code, board: "listed", zh: code, zhCn: code, en: code }) as Instrument);
let shown: Shown;
/** The codes of the pages that were shown. */
let pages: string[];

function Page({ instrument }: { instrument: Instrument }) {
  useEffect(() => void pages.push(instrument.code), [instrument]);
  return <Neighbours instrument={instrument}>{instrument.code}</Neighbours>;
}

/** The detail of the code in the address. */
function Detail() {
  const [query] = useSearchParams();
  const instrument = list.find(({ code }) => code === query.get("code"));
  return instrument && <Page key={instrument.code} instrument={instrument} />;
}

beforeEach(async () => {
  pages = [];
  rememberOrigin(list);
  shown = await show(<Detail />, "/market/stockDetail?code=2330");
});
afterEach(() => shown.gone());

const next = (): HTMLElement => one(shown.place, "[aria-label^=Next]");

it("lead from page to page, and keep the focus", async () => {
  await doing(() => next().click());
  expect(document.activeElement).toBe(next());
  await doing(() => next().click());
  expect(pages).toEqual(["2330", "2317", "2454"]);
  expect(document.activeElement).toBe(next());
});

it("pressed twice before the page changes, lead two further, and keep the focus", async () => {
  await doing(() => {
    next().click();
    next().click();
  });
  expect(pages.at(-1)).toBe("2454");
  expect(document.activeElement).toBe(next());
});

it("pressed beyond the end, stay on the last", async () => {
  await doing(() => {
    for (let time = 0; time < 5; time += 1) next().click();
  });
  expect(pages.at(-1)).toBe("2603");
});

it("pressed on a page that is only passed, go on from where the last step leads", async () => {
  await shown.gone();
  let showPage: (code: string) => void = () => undefined;
  let address: string | null = null;
  // Shows what the test says, as a page that is ready late.
  function Slow() {
    const [code, setCode] = useState("2330");
    const [query] = useSearchParams();
    useEffect(() => {
      showPage = setCode;
      address = query.get("code");
    }, [query]);
    const instrument = list.find((each) => each.code === code);
    return instrument && <Page key={code} instrument={instrument} />;
  }
  shown = await show(<Slow />, "/market/stockDetail?code=2330");
  await doing(() => {
    next().click();
    next().click();
  });
  expect(address).toBe("2454");
  await doing(() => showPage("2317"));
  await doing(() => one(shown.place, "[aria-label^=Previous]").click());
  expect(address).toBe("2317");
  // Once shown, a page is where the next step begins; and so is one that was opened otherwise.
  await doing(() => next().click());
  await doing(() => showPage("2454"));
  await doing(() => next().click());
  expect(address).toBe("2603");
  await doing(() => showPage("2330"));
  await doing(() => showPage("2603"));
  await doing(() => showPage("2317"));
  await doing(() => one(shown.place, "[aria-label^=Previous]").click());
  expect(address).toBe("2330");
});
