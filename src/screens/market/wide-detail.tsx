/** The detail of a stock in the wide layout: ticket, order book and tape next to the chart. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { Ticket } from "#src/screens/ticket/ticket.tsx";
import type { TicketProps } from "#src/screens/ticket/ticket.tsx";
import { requestedCode } from "./requested-code.ts";
import { Depth } from "./depth.tsx";
import { WideFrame } from "./wide-frame.tsx";
import { InstrumentNews } from "./instrument-news.tsx";
import { Profile } from "./profile.tsx";
import { Tape } from "./tape.tsx";
import { HOTKEY_PICKS, hotkeyOf } from "./hotkeys.ts";
import { isTyping } from "./is-typing.ts";
import styles from "./wide.module.css";

/** What was picked for the ticket, and for which instrument. */
interface Picked {
  code: string;
  pick: NonNullable<TicketProps["pick"]>;
}

/** Enter belongs to a focused control, such as a row of the list. */
const isControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("a, button, [role], summary") !== null;

/** The keys of `hotkeys.ts` work on the docked ticket. */
export function WideDetail({ instrument }: { instrument: Instrument }) {
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
  return (
    <WideFrame
      instrument={instrument}
      sections={[
        { name: "profile", content: <Profile key={code} instrument={instrument} /> },
        { name: "news", content: <InstrumentNews key={code} instrument={instrument} /> },
      ]}
      sideLabel={t("market.ticket")}
      side={
        <>
          <section className={styles.ticket} aria-labelledby="wide-ticket">
            <h2 id="wide-ticket">{t("market.ticket")}</h2>
            <Ticket code={code} pick={picked?.code === code ? picked.pick : null} />
          </section>
          {tradable && (
            <Depth
              key={`book ${code}`}
              instrument={instrument}
              onPick={(price) => setPicked((before) => ({ code, pick: { price, n: (before?.pick.n ?? 0) + 1 } }))}
            />
          )}
          <Tape key={`trades ${code}`} instrument={instrument} />
        </>
      }
    />
  );
}
