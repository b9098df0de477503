/** The kinds of order as chips: cash, margin, short, day trade; an unavailable one says why when it is pressed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { haptic } from "#src/gateway/shell.ts";
import { Link } from "#src/ui/link.tsx";
import { TRADE_KINDS } from "./intent.ts";
import type { TradeKind } from "./intent.ts";
import { REMEDIES } from "./remedies.ts";
import type { TicketModel } from "./use-ticket.ts";
import fields from "./fields.module.css";
import styles from "./ticket.module.css";

/** One chip is chosen; the chosen kind is remembered for the next ticket. */
export function KindChips({ model }: { model: Pick<TicketModel, "choices" | "intent" | "chooseKind"> }) {
  const { t } = useTranslation();
  const { choices, intent } = model;
  const [asked, setAsked] = useState<TradeKind | null>(null);
  const why = asked && choices.kinds[asked];
  return (
    <>
      <div className={fields.chips} role="group" aria-label={t("ticket.kindTitle")}>
        {TRADE_KINDS.map((kind) => {
          const unavailable = choices.kinds[kind] !== null;
          return (
            <button
              key={kind}
              type="button"
              className={fields.chip}
              aria-pressed={kind === intent.kind}
              aria-disabled={unavailable || undefined}
              onClick={() => {
                haptic("tick");
                setAsked(unavailable ? kind : null);
                if (!unavailable) model.chooseKind(kind);
              }}
            >
              {t(`ticket.kind.${kind}`)}
            </button>
          );
        })}
      </div>
      {asked && why && (
        <p className={styles.hint} role="status">
          {t("ticket.notNow", { what: t(`ticket.kind.${asked}`), why: t(why === "noneToCover" ? "ticket.noneToCover" : `refusal.${why}`) })}{" "}
          <Remedy why={why} />
        </p>
      )}
    </>
  );
}

/** A link to where the cause can be resolved, if there is such a place. */
function Remedy({ why }: { why: NonNullable<TicketModel["choices"]["kinds"][TradeKind]> }) {
  const { t } = useTranslation();
  const to = why === "noneToCover" ? undefined : REMEDIES[why];
  return to ? <Link to={to}>{t("ticket.remedy")}</Link> : null;
}
