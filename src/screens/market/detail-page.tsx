/** The detail on a phone: everything under each other, the two ways into the ticket at the bottom. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Direction } from "#contract/order.ts";
import { useVenue } from "#src/streams/instruments.ts";
import type { Choice } from "#src/screens/chart/view.ts";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { TicketSheet } from "#src/screens/ticket/ticket.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Depth } from "./depth.tsx";
import { DetailChart } from "./detail-chart.tsx";
import { DetailHead } from "./detail-head.tsx";
import { Stats } from "./stats.tsx";
import { TradeBar } from "./trade-bar.tsx";
import { useHindrance } from "./trade-gate.ts";

/** What the sheet opens with. */
interface Opened {
  direction: Direction;
  price: Price | null;
}

/** Mount it anew for another instrument. */
export function DetailPage({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const place = usePlace();
  const venue = useVenue();
  const why = useHindrance(instrument);
  const [choice, setChoice] = useState<Choice>({ range: "intraday", length: null });
  const [opened, setOpened] = useState<Opened | null>(null);
  const [shown, setShown] = useState(false);
  const trade = (direction: Direction, price: Price | null): void => {
    setOpened({ direction, price });
    setShown(true);
  };
  const open = (["rise", "fall"] as const).find((direction) => why(direction) === null);
  const phase = venue ? ` · ${t(`market.phase.${venue.phase}`)}` : "";
  return (
    <Screen
      header={
        <BackHeader title={fullName(instrument)} subtitle={`${place(instrument)}${phase}`} action={<WatchStar instrument={instrument} />} />
      }
      top={<StaleNotice />}
      footer={<TradeBar instrument={instrument} onTrade={(direction) => trade(direction, null)} />}
    >
      <DetailHead instrument={instrument} />
      <DetailChart instrument={instrument} choice={choice} onChoose={setChoice} />
      <Stats instrument={instrument} />
      {instrument.tradable && <Depth instrument={instrument} onPick={open ? (price) => trade(open, price) : null} />}
      {opened && (
        <TicketSheet
          open={shown}
          onClose={() => setShown(false)}
          code={instrument.code}
          direction={opened.direction}
          pick={opened.price === null ? null : { price: opened.price, n: 1 }}
        />
      )}
    </Screen>
  );
}
