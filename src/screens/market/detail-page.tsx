/** The detail of a stock on a phone: the order book below the chart, sections below that, buy and sell buttons at the bottom. */
import { useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Side } from "#src/screens/ticket/intent.ts";
import { TicketSheet } from "#src/screens/ticket/ticket.tsx";
import { Depth } from "./depth.tsx";
import { investorSection } from "./investor-section.tsx";
import { InstrumentNews } from "./instrument-news.tsx";
import { AfterListing, useListed } from "./listing.tsx";
import { PageFrame } from "./page-frame.tsx";
import { Profile } from "./profile.tsx";
import { Stats } from "./stats.tsx";
import { Tape } from "./tape.tsx";
import { TradeBar } from "./trade-bar.tsx";
import { useHeldKeys } from "./held-keys.ts";
import { useOrderBlock } from "./order-eligibility.ts";
import { useRequestedSide } from "./use-requested-side.ts";

/** The initial side and price of the ticket sheet. */
interface Opened {
  side: Side;
  price: Price | null;
}

/** Remount it for another instrument. */
export function DetailPage({ instrument }: { instrument: Instrument }) {
  useListed(instrument);
  const why = useOrderBlock(instrument);
  const keys = useHeldKeys(instrument.code);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [shown, setShown] = useState(false);
  const trade = (side: Side, price: Price | null): void => {
    setOpened({ side, price });
    setShown(true);
  };
  useRequestedSide((side) => trade(side, null));
  return (
    <PageFrame
      instrument={instrument}
      book={
        instrument.tradable && (
          <AfterListing instrument={instrument}>
            <Depth instrument={instrument} onPick={why === null ? (price) => trade("buy", price) : null} />
          </AfterListing>
        )
      }
      sections={[
        { name: "quote", content: <Stats instrument={instrument} /> },
        { name: "trades", content: <Tape instrument={instrument} /> },
        { name: "profile", content: <Profile instrument={instrument} /> },
        ...investorSection(instrument),
        { name: "news", content: <InstrumentNews instrument={instrument} /> },
      ]}
      footer={<TradeBar instrument={instrument} labels={keys.labels} onTrade={(side) => trade(side, null)} />}
    >
      {opened && (
        // Another key or price starts another ticket; the same one finds what was typed.
        <TicketSheet
          key={`${opened.side} ${opened.price}`}
          open={shown}
          onClose={() => setShown(false)}
          code={instrument.code}
          side={opened.side}
          kind={opened.price === null ? keys.kindOf(opened.side) : undefined}
          pick={opened.price === null ? null : { price: opened.price, n: 1 }}
        />
      )}
    </PageFrame>
  );
}
