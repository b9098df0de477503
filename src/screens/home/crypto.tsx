/** Digital currency: what is traded, live, in one virtual list; what a member needs before the first order, and the terms of trading. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { formatRate, formatTwd } from "#contract/kernel/money.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { useRule } from "#src/streams/rules.ts";
import { FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import styles from "./fund.module.css";

/** `/home/crypto` */
export function CryptoPage() {
  const { t } = useTranslation();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const coins = useMemo(() => table?.list.filter(({ kind }) => kind === "crypto") ?? null, [table]);
  const sections = useMemo(() => [{ id: "crypto", items: coins ?? [] }], [coins]);
  return (
    <Screen
      header={<BackHeader title={t("app.title.crypto")} fallback="/home/allTool" action={<SearchLink />} />}
      top={
        <>
          <StaleNotice />
          <div className={styles.above}>
            <Missing tradable={coins === null || coins.some(({ tradable }) => tradable)} />
          </div>
        </>
      }
      scroll="own"
    >
      {coins === null ? (
        skeleton && <Skeleton rows={9} />
      ) : (
        <QuoteList
          label={t("app.title.crypto")}
          sections={sections}
          after={coins.length === 0 ? <EmptyState title={t("crypto.none")} why={t("crypto.noneWhy")} /> : <CoinTerms />}
        />
      )}
    </Screen>
  );
}

/** What keeps the member, or this market, from trading. */
function Missing({ tradable }: { tradable: boolean }) {
  const { t } = useTranslation();
  const facts = useMember().value?.facts;
  if (!tradable) return <BlockedNotice title={t("crypto.quotedOnly")} why={t("crypto.quotedOnlyWhy")} />;
  if (!facts) return null;
  return (
    <MissingNotice
      title={t("crypto.blocked")}
      missing={missingFor("tradeCrypto", facts).slice(0, 1)}
      agreement="crypto"
      supply={t("crypto.supply")}
    />
  );
}

/** Hours, fee and minimum, as the rules say. */
function CoinTerms() {
  const { t } = useTranslation();
  const coin = useInstruments()?.list.find(({ kind }) => kind === "crypto") ?? null;
  const rule = useRule(coin);
  if (!rule) return null;
  return (
    <section className={styles.inset} aria-label={t("crypto.terms")}>
      <FieldList
        fields={[
          { label: t("crypto.hours"), value: t("crypto.always") },
          {
            label: t("ticket.fee"),
            value: t("crypto.fee", { rate: formatRate(rule.feePerMillion), least: formatTwd(rule.feeMinimumCents) }),
          },
          { label: t("crypto.least"), value: formatTwd(rule.minimumCents) },
          { label: t("crypto.unit"), value: "0.00000001" },
        ]}
      />
      <p>{t("crypto.note")}</p>
    </section>
  );
}
