/** The order options: market, validity, funding, day trade, entry trigger and exit orders. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { VALIDITIES } from "#contract/order.ts";
import type { Validity } from "#contract/order.ts";
import { MARKETS } from "#contract/rule.ts";
import type { Market } from "#contract/rule.ts";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { fundedBy, fundingWord } from "./choices.ts";
import { limitOf } from "./draft.ts";
import type { FundingWord, Why } from "./choices.ts";
import { Exits } from "./exits.tsx";
import { REMEDIES } from "./remedies.ts";
import { TriggerPrice } from "./trigger-price.tsx";
import type { TicketModel } from "./use-ticket.ts";
import { useFundingWord } from "./words.ts";
import styles from "./ticket.module.css";

/** The options replace the form: their heading takes the focus. */
const focusFirst = (heading: HTMLElement | null): void => heading?.focus();

/** Shown in place of the form until done. */
export function TicketOptions({ model, onDone }: { model: TicketModel; onDone: () => void }) {
  const { t } = useTranslation();
  const opens = model.intent.closes === null;
  return (
    <div className={styles.options}>
      <h3 tabIndex={-1} ref={focusFirst}>
        {t("ticket.options")}
      </h3>
      <Markets model={model} />
      <Validities model={model} />
      {/* What closes a position is paid as the position was, and neither waits nor exits. */}
      {opens && (
        <>
          <Fundings model={model} />
          <Entry model={model} />
          <Exits
            exits={model.draft.exits}
            direction={model.intent.direction}
            ladder={model.ladder}
            from={limitOf(model.draft) ?? model.view?.quote.last ?? 0}
            error={model.request.errorAt("exits")}
            onChange={(exits) => model.change({ ...model.draft, exits }, "exits")}
          />
        </>
      )}
      <div className={styles.foot}>
        <Button size="large" block tone="primary" onClick={onDone}>
          {t("ticket.optionsDone")}
        </Button>
      </div>
    </div>
  );
}

/** Why choices are disabled, each reason once, with a link to resolve it. */
function RestrictionReasons({ whys }: { whys: readonly Why[] }) {
  const { t } = useTranslation();
  const codes = [...new Set(whys)].filter((why) => why !== null);
  return codes.map((code) => {
    const remedy = REMEDIES[code];
    return (
      <p key={code} className={styles.hint}>
        {t(`refusal.${code}`)} {remedy && <Link to={remedy}>{t("ticket.remedy")}</Link>}
      </p>
    );
  });
}

function Markets({ model: { draft, choices, change } }: { model: TicketModel }) {
  const { t } = useTranslation();
  const hidden = (market: Market): boolean => market === "fixed" && choices.market.fixed !== null;
  const shown = MARKETS.filter((market) => !hidden(market));
  return (
    <div className={styles.option}>
      <h3>{t("ticket.atTitle")}</h3>
      <Segmented<Market>
        label={t("ticket.atTitle")}
        value={draft.market}
        onChoose={(market) => change({ ...draft, market, lotsTyped: false }, "market", "lots", "shares", "price")}
        options={shown.map((value) => ({ value, label: t(`ticket.at.${value}`), disabled: choices.market[value] !== null }))}
      />
      {shown.map((market) => {
        const why = choices.market[market];
        return (
          why !== null && (
            <p key={market} className={styles.hint}>
              {t("ticket.notNow", { what: t(`ticket.at.${market}`), why: t(`refusal.${why}`) })}
            </p>
          )
        );
      })}
      {draft.market !== "board" && <p className={styles.hint}>{t(`ticket.atWhy.${draft.market}`)}</p>}
    </div>
  );
}

function Validities({ model: { draft, choices, change } }: { model: TicketModel }) {
  const { t } = useTranslation();
  return (
    <div className={styles.option}>
      <h3>{t("ticket.validityTitle")}</h3>
      <Segmented<Validity>
        label={t("ticket.validityTitle")}
        value={draft.validity}
        onChoose={(validity) => change({ ...draft, validity }, "validity")}
        options={VALIDITIES.map((value) => ({ value, label: value.toUpperCase(), disabled: choices.validity[value] !== null }))}
      />
      <p className={styles.hint}>{t(`ticket.validityWhy.${draft.validity}`)}</p>
      <RestrictionReasons whys={[choices.validity.ioc]} />
    </div>
  );
}

function Fundings({ model: { draft, intent, choices, change, rule } }: { model: TicketModel }) {
  const { t } = useTranslation();
  const word = useFundingWord();
  const chosen = fundingWord(intent);
  if (choices.funding.length < 2) return null;
  return (
    <div className={styles.option}>
      <h3>{t("ticket.fundingTitle")}</h3>
      <Segmented<FundingWord>
        label={t("ticket.fundingTitle")}
        value={chosen}
        onChoose={(next) => change({ ...draft, ...fundedBy(next) }, "funding", "leverage", "lots")}
        options={choices.funding.map(({ word: value, why }) => ({ value, label: word(value), disabled: why !== null }))}
      />
      {chosen !== "cash" && rule && (
        <p className={styles.hint}>
          {t(chosen === "margin" ? "ticket.fundingWhy.margin" : "ticket.fundingWhy.leverage", { rate: rule.interestPerMillion / 10_000 })}
        </p>
      )}
      <RestrictionReasons whys={choices.funding.map(({ why }) => why)} />
    </div>
  );
}

type EntryWord = "none" | "stop" | "takeProfit";
const ENTRIES: readonly EntryWord[] = ["none", "stop", "takeProfit"];

function Entry({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  const { draft, intent, change, ladder, view, request, reservesFor } = model;
  if (draft.market === "fixed" || reservesFor !== null) return null;
  return (
    <div className={styles.option}>
      <h3>{t("ticket.entryTitle")}</h3>
      <Segmented<EntryWord>
        label={t("ticket.entryTitle")}
        value={draft.entry?.kind ?? "none"}
        onChoose={(kind) => change({ ...draft, entry: kind === "none" ? null : { kind, text: draft.entry?.text ?? "" } }, "trigger")}
        options={ENTRIES.map((value) => ({ value, label: t(`ticket.entry.${value}`) }))}
      />
      {draft.entry && (
        <>
          <TriggerPrice
            label={t("ticket.triggerPrice")}
            text={draft.entry.text}
            ladder={ladder}
            from={view?.quote.last ?? 0}
            error={request.errorAt("trigger")}
            onText={(text) => draft.entry && change({ ...draft, entry: { ...draft.entry, text } }, "trigger")}
          />
          <p className={styles.hint}>{t(`ticket.entryWhy.${intent.direction}.${draft.entry.kind}`)}</p>
        </>
      )}
    </div>
  );
}
