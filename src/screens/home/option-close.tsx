/** The closing of an option position: what it would bring now, the lots and a limit, reviewed before it is sent. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatGain, formatTwd, grouped } from "#contract/kernel/money.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { formatPremium } from "#contract/premium.ts";
import { useRequest } from "#src/actors/request.ts";
import { useClosingCost } from "#src/streams/options.ts";
import type { OptionCost, Options } from "#src/streams/options.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { LackingNotice, useMarginFields } from "./margin-told.tsx";
import { limitOf, OptionFields, useFilled, useRefusedField, useTyped } from "./option-fields.tsx";
import { HeldScreen } from "./option-held.tsx";
import { usePositionFields } from "./option-list.tsx";
import { heldPair, pairPath } from "./option-pair-list.tsx";
import { OptionReview, ToReview } from "./option-review.tsx";
import { useSeriesName } from "./option-words.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

type Held = Options["held"][number];

/** `/home/options?close=…` */
export function OptionClose({ positionNo }: { positionNo: string }) {
  const { t } = useTranslation();
  const nameOf = useSeriesName();
  const find = (options: Options | null): Held | undefined => options?.held.find(({ position }) => position.positionNo === positionNo);
  const titleOf = (options: Options | null): string => {
    const held = find(options);
    return held ? nameOf(held.position.code, held.position.strike) : t("options.close");
  };
  const bodyOf = (options: Options): ReactNode => {
    const held = find(options);
    if (!held) return null;
    const pairs = options.pairs.filter((pair) => pair.positionNo === positionNo || pair.otherNo === positionNo);
    return (
      <>
        <Position held={held} title={titleOf(options)} />
        {pairs.map((pair) => (
          <PairWay key={`${pair.positionNo} ${pair.otherNo}`} options={options} pair={pair} />
        ))}
        <CloseFields held={held} />
      </>
    );
  };
  return <HeldScreen titleOf={titleOf} bodyOf={bodyOf} />;
}

/** The way to close these lots together with what they are margined with. */
function PairWay({ options, pair }: { options: Options; pair: Options["pairs"][number] }) {
  const { t } = useTranslation();
  const nameOf = useSeriesName();
  const legs = heldPair(options, pair.positionNo, pair.otherNo);
  if (!legs) return null;
  const names = legs.map(({ position }) => nameOf(position.code, position.strike)).join(" / ");
  return (
    <ButtonLink to={pairPath(pair)} block>
      {t("options.pair.closeOf", { names })}
    </ButtonLink>
  );
}

function Position({ held, title }: { held: Held; title: string }) {
  const fields = usePositionFields(held.position, held);
  return (
    <Card label={title}>
      <FieldList fields={fields} />
    </Card>
  );
}

/** What closing some lots at a premium brings, before its charges. */
function useProceeds({ position, close }: Held, lots: number, limit: number | null): Field[] {
  const { t } = useTranslation();
  if (close === null) return [{ label: t("options.priceNow"), value: t("futures.noQuote") }];
  const buys = position.lots < 0;
  const gain = premiumWorth(close * position.lots - position.costTenths, lots) / Math.abs(position.lots);
  return [
    { label: t("options.priceNow"), value: t("options.points", { n: formatPremium(close) }) },
    ...(limit === null
      ? []
      : [{ label: t(buys ? "options.most" : "options.least"), value: t("options.points", { n: formatPremium(limit) }) }]),
    { label: t(buys ? "options.paidPremium" : "options.received"), value: formatTwd(premiumWorth(close, lots)) },
    { label: t("options.gainOfLots"), value: formatGain(Math.round(gain)) },
  ];
}

/** What closing brings, and what margin the account needs then: more where another position was margined with these lots. */
function Told({ proceeds, cost }: { proceeds: Field[]; cost: OptionCost | null }) {
  const { t } = useTranslation();
  const marginFields = useMarginFields();
  return (
    <>
      <FieldList fields={[...proceeds, ...(cost ? marginFields(cost) : [])]} />
      {cost && cost.marginCents > 0 && (
        <p className={styles.trouble} role="note">
          {t("options.paired")}
        </p>
      )}
      {cost && <LackingNotice lackingCents={cost.lackingCents} />}
    </>
  );
}

function CloseFields({ held }: { held: Held }) {
  const { t } = useTranslation();
  const { position, close } = held;
  const all = Math.abs(position.lots);
  const side = position.lots > 0 ? "sell" : "buy";
  const typed = useTyped(all);
  const { lots, reviewing, setReviewing } = typed;
  const limit = limitOf(typed, side, close);
  const request = useRequest("closeOption", { fields: ["lots", "price"], onAccepted: useFilled() });
  const form = useRefusedField(request, typed);
  const edit = (field?: string): void => {
    setReviewing(false);
    request.edit(field);
  };
  const some = lots !== null && lots > 0 && lots <= all ? lots : all;
  const proceeds = useProceeds(held, some, limit);
  const { value: cost } = useClosingCost(position.positionNo, some);
  const told = <Told proceeds={proceeds} cost={cost} />;
  const send = (): void => request.submit({ positionNo: position.positionNo, lots, price: limit });
  const refused = request.errorAt("lots") !== null || request.errorAt("price") !== null;
  if (reviewing && !refused)
    return (
      <OptionReview
        title={t("options.reviewTitle", {
          side: t(`futures.${side}`),
          lots: t("futures.lotsOf", { count: some, n: grouped(String(some)) }),
        })}
        action={t("options.confirmClose")}
        request={request}
        needsLimit={limit === null}
        onChange={() => edit()}
        onConfirm={send}
      >
        {told}
      </OptionReview>
    );
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        edit();
        // What is no order at all is refused at its field; nothing else is sent without a review.
        typed.setAsked(true);
        if (typed.isOffTick) return;
        if (lots !== some || typed.typed === 0) send();
        else setReviewing(true);
      }}
    >
      <OptionFields
        typed={typed}
        side={side}
        quote={close}
        lotsHint={t("options.closeHint", { n: grouped(String(all)) })}
        errorAt={request.errorAt}
        onEdit={edit}
      />
      {told}
      <RequestError request={request} />
      <ToReview busy={request.busy} needsLimit={limit === null} />
    </form>
  );
}
