/** The detail of a stock on a phone: sections below the chart, buy and sell buttons at the bottom. */
import { useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Side } from "#src/screens/ticket/intent.ts";
import { TicketSheet } from "#src/screens/ticket/ticket.tsx";
import { Depth } from "./depth.tsx";
import { InstrumentNews } from "./instrument-news.tsx";
import { PageFrame } from "./page-frame.tsx";
import { Profile } from "./profile.tsx";
import { Stats } from "./stats.tsx";
import { Tape } from "./tape.tsx";
import { TradeBar } from "./trade-bar.tsx";
import { useHeldKeys } from "./held-keys.ts";
import { useOrderBlock } from "./order-eligibility.ts";

/** The initial side and price of the ticket sheet. */
interface Opened {
  side: Side;
  price: Price | null;
}

/** Remount it for another instrument. */
export function DetailPage({ instrument }: { instrument: Instrument }) {
  const why = useOrderBlock(instrument);
  const keys = useHeldKeys(instrument.code);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [shown, setShown] = useState(false);
  const trade = (side: Side, price: Price | null): void => {
    setOpened({ side, price });
    setShown(true);
  };
  const quote = (
    <>
      <Stats instrument={instrument} />
      {instrument.tradable && <Depth instrument={instrument} onPick={why === null ? (price) => trade("buy", price) : null} />}
    </>
  );
  return (
    <PageFrame
      instrument={instrument}
      sections={[
        { name: "quote", content: quote },
        { name: "trades", content: <Tape instrument={instrument} /> },
        { name: "profile", content: <Profile instrument={instrument} /> },
        { name: "news", content: <InstrumentNews instrument={instrument} /> },
      ]}
      footer={<TradeBar instrument={instrument} labels={keys.labels} onTrade={(side) => trade(side, null)} />}
    >
      {opened && (
        <TicketSheet
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
