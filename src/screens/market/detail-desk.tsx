/** The detail where there is room: watchlist, chart and figures, ticket and book beside each other, each scrolling alone. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Instrument } from "#contract/instrument.ts";
import type { Choice } from "#src/screens/chart/view.ts";
import { detailPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { Ticket } from "#src/screens/ticket/ticket.tsx";
import type { TicketProps } from "#src/screens/ticket/ticket.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { Depth } from "./depth.tsx";
import { DeskList } from "./desk-list.tsx";
import { DetailChart } from "./detail-chart.tsx";
import { DetailHead } from "./detail-head.tsx";
import { Stats } from "./stats.tsx";
import { typing } from "./typing.ts";
import styles from "./desk.module.css";

/** What was picked for the ticket, and of which instrument. */
interface Picked {
  code: string;
  pick: NonNullable<TicketProps["pick"]>;
}

const SIDES = { b: "rise", s: "fall" } as const;

/** Choosing in the list changes chart and ticket; the address keeps the code. */
export function DetailDesk({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const place = usePlace();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<Choice>({ range: "3M", length: null });
  const [picked, setPicked] = useState<Picked | null>(null);
  const { code } = instrument;
  const choose = (next: Instrument): void => {
    rememberDetail(next);
    void navigate(detailPath(next.code), { replace: true });
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const direction = event.key === "b" || event.key === "s" ? SIDES[event.key] : undefined;
      if (direction === undefined || typing(event)) return;
      setPicked((before) => ({ code, pick: { direction, n: (before?.pick.n ?? 0) + 1 } }));
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [code]);
  return (
    <Screen top={<StaleNotice />} scroll="own" width="wide">
      <div className={styles.desk}>
        <DeskList instrument={instrument} onChoose={choose} />
        <div className={styles.middle}>
          <header className={styles.title}>
            <div className={styles.names}>
              <h1>{fullName(instrument)}</h1>
              <p>{place(instrument)}</p>
            </div>
            <WatchStar instrument={instrument} />
          </header>
          <DetailHead instrument={instrument} />
          <DetailChart instrument={instrument} choice={choice} onChoose={setChoice} tall />
          <Stats instrument={instrument} />
        </div>
        <aside className={styles.side} aria-label={t("market.ticket")}>
          <section className={styles.ticket} aria-labelledby="desk-ticket">
            <h2 id="desk-ticket">{t("market.ticket")}</h2>
            <Ticket code={code} pick={picked?.code === code ? picked.pick : null} />
          </section>
          {instrument.tradable && (
            <Depth
              instrument={instrument}
              onPick={(price) => setPicked((before) => ({ code, pick: { price, n: (before?.pick.n ?? 0) + 1 } }))}
            />
          )}
        </aside>
      </div>
    </Screen>
  );
}
