/** The workspace of a stock, with ticket, order book and tape. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { Ticket } from "#src/screens/ticket/ticket.tsx";
import type { TicketProps } from "#src/screens/ticket/ticket.tsx";
import { requestedCode } from "#src/screens/market/requested-code.ts";
import { Depth } from "#src/screens/market/depth.tsx";
import { AfterListing } from "#src/screens/market/listing.tsx";
import { InstrumentNews } from "#src/screens/market/instrument-news.tsx";
import { Profile } from "#src/screens/market/profile.tsx";
import { Stats } from "#src/screens/market/stats.tsx";
import { Tape } from "#src/screens/market/tape.tsx";
import { HoldingStrip } from "#src/screens/market/holding-strip.tsx";
import { investorSection } from "#src/screens/market/investor-section.tsx";
import { useRequestedSide } from "#src/screens/market/use-requested-side.ts";
import { HOTKEY_PICKS, hotkeyOf } from "#src/screens/market/hotkeys.ts";
import { isTyping } from "#src/screens/market/is-typing.ts";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { NoInstrument, useRequestedInstrument } from "#src/screens/market/requested-instrument.tsx";
import { Navigate } from "#src/ui/link.tsx";
import { Workspace } from "./workspace.tsx";
import styles from "./workspace.module.css";

/** What was picked for the ticket, and for which instrument. */
interface Picked {
  code: string;
  pick: NonNullable<TicketProps["pick"]>;
}

/** Enter belongs to a focused control, such as a row of the list. */
const isControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("a, button, [role], summary") !== null;

/** `/market/stockDetail` in the wide layout. */
export function StockWorkspace() {
  const requested = useRequestedInstrument(true);
  const { instrument } = requested;
  if (!instrument) return <NoInstrument requested={requested} />;
  if (instrument.kind === "index") return <Navigate to={ownPath(instrument)} replace />;
  return <OfStock instrument={instrument} />;
}

/** The keys of `hotkeys.ts` work on the docked ticket. */
function OfStock({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const [picked, setPicked] = useState<Picked | null>(null);
  const { code, tradable } = instrument;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const action = hotkeyOf(event);
      if (action === null || isTyping(event) || (action === "review" && (event.repeat || isControl(event)))) return;
      const target = requestedCode(code);
      setPicked((before) => ({ code: target, pick: { ...HOTKEY_PICKS[action], n: (before?.pick.n ?? 0) + 1 } }));
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [code]);
  useRequestedSide((side) => setPicked((before) => ({ code, pick: { side, n: (before?.pick.n ?? 0) + 1 } })));
  const data = (
    <>
      <Stats instrument={instrument} />
      <Profile key={code} instrument={instrument} />
      {investorSection(instrument)[0]?.content}
    </>
  );
  const book = (
    <>
      {tradable && (
        <AfterListing key={`book ${code}`} instrument={instrument}>
          <Depth
            instrument={instrument}
            onPick={(price) => setPicked((before) => ({ code, pick: { price, n: (before?.pick.n ?? 0) + 1 } }))}
          />
        </AfterListing>
      )}
      <Tape key={`trades ${code}`} instrument={instrument} />
    </>
  );
  return (
    <Workspace
      instrument={instrument}
      sections={[
        { name: "data", content: data },
        { name: "news", content: <InstrumentNews key={code} instrument={instrument} /> },
      ]}
      book={book}
      sideLabel={t("market.ticket")}
      side={
        <section className={styles.ticket} aria-labelledby="wide-ticket">
          <h2 id="wide-ticket">{t("market.ticket")}</h2>
          <HoldingStrip instrument={instrument} />
          <Ticket code={code} pick={picked?.code === code ? picked.pick : null} />
        </section>
      }
    />
  );
}
