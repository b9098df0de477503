/** Says in words what the order does: what it closes, that it opens a short, or that nothing is held and what to choose instead. */
import { useTranslation } from "react-i18next";
import { pauseKey, useCallAuction } from "#src/streams/call-auctions.ts";
import { formatMinute, formatTime } from "#contract/kernel/time.ts";
import { Calls } from "#src/screens/quote/calls.tsx";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import { Chip } from "#src/ui/choice.tsx";
import type { Act } from "./intent.ts";
import { CoverDayText } from "./cover-day.tsx";
import { SquareOff } from "./square-off.tsx";
import type { TicketModel } from "./use-ticket.ts";
import fields from "./fields.module.css";

/** Says until when the instrument does not match: its open is put off, a price move has halted it, or it is traded by calls. */
export function Paused({ code }: { code: string }) {
  const { t } = useTranslation();
  const auction = useCallAuction(code);
  const { pausedUntil, callsEveryMs } = auction;
  if (callsEveryMs !== null)
    return (
      <>
        <p className={fields.effect} data-tone="warn" role="status">
          <Calls everyMs={callsEveryMs} next={pausedUntil} />
        </p>
        <p className={fields.effect}>{t("market.calls.why")}</p>
      </>
    );
  if (pausedUntil === null) return null;
  return (
    <p className={fields.effect} data-tone="warn" role="status">
      {t(pauseKey(auction), { time: formatTime(pausedUntil) })}
    </p>
  );
}

/** Says that the market is closed and the order is kept for its next session; nothing while it goes to the market at once. */
export function Reserved({ until }: { until: number | null }) {
  const { t } = useTranslation();
  if (until === null) return null;
  return (
    <p className={fields.effect} role="status">
      {t("ticket.reservedWhy", { time: formatMinute(until) })}
    </p>
  );
}

/** One line below the kinds; nothing for an ordinary purchase. */
export function Effect({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const sharesOf = useSharesWord();
  const { intent } = model;
  if (intent.nothing) return <NothingHeld model={model} />;
  if (intent.closes) {
    const word = intent.dayTrade ? "day" : intent.closes.direction;
    // Also what is still in its lock-up: it is held, and the reason why it cannot be closed stands by the button.
    const size = sharesOf(intent.closes, intent.closes.closableShares);
    return (
      <p className={fields.effect}>
        {t(`ticket.closes.${word}`, { size })} {intent.dayTrade && <SquareOff />}
      </p>
    );
  }
  if (intent.act === "short") {
    return (
      <p className={fields.effect} data-tone="warn">
        {t(intent.dayTrade ? "ticket.opensDayShort" : "ticket.opensShort")} {intent.dayTrade && <SquareOff />}{" "}
        {model.instrument && <CoverDayText code={model.instrument.code} opening />}
      </p>
    );
  }
  return intent.dayTrade ? (
    <p className={fields.effect}>
      {t("ticket.opensDayLong")} <SquareOff />
    </p>
  ) : null;
}

/** A fact changed what the order does: it is reviewed only once the member has chosen its side or kind again, or accepted what it does now. */
export function ChangedIntent({ model: { intent, accept }, was }: { model: TicketModel; was: Act }) {
  const { t } = useTranslation();
  return (
    <div className={fields.nothing} role="alert" tabIndex={-1}>
      <p>{t("ticket.changed", { was: t(`ticket.act.${was}`) })}</p>
      {intent.nothing === null && (
        <p className={fields.offers}>
          <Chip onPress={accept}>{t("ticket.changedGoOn", { act: t(`ticket.act.${intent.act}`) })}</Chip>
        </p>
      )}
    </div>
  );
}

/** Selling what is not held is refused; selling short is offered as a choice of its own. */
function NothingHeld({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { intent, choices } = model;
  const offered = intent.nothing === "noneToSell" ? (["short", "dayTrade"] as const).filter((kind) => choices.kinds[kind] === null) : [];
  return (
    <div className={fields.nothing} role="alert" tabIndex={-1}>
      <p>{t(`ticket.${intent.nothing ?? "noneToSell"}`)}</p>
      {offered.length > 0 && (
        <p className={fields.offers}>
          {offered.map((kind) => (
            <Chip key={kind} onPress={() => model.chooseKind(kind)}>
              {t(`ticket.instead.${kind}`)}
            </Chip>
          ))}
        </p>
      )}
    </div>
  );
}
