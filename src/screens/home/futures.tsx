/** Index futures: the contracts with their quotes and the margin account, the member's positions, and the trades: three tabs; and one contract's order. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { FUTURES_PRODUCTS } from "#contract/futures-price.ts";
import type { FuturesProduct } from "#contract/futures-price.ts";
import type { FuturesContract } from "#contract/futures.ts";
import { formatPrice, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { useFutures } from "#src/streams/futures.ts";
import type { Futures } from "#src/streams/futures.ts";
import { useMember } from "#src/streams/member.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Link, useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BlockedNotice, EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { FuturesForm } from "./futures-form.tsx";
import { FuturesPositions, FuturesTrades } from "./futures-list.tsx";
import { FuturesNotes, useContractName } from "./futures-words.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import styles from "./fund.module.css";

const PARTS = ["contracts", "mine", "trades"] as const;

/** `/home/futures`; `?code=` is the order of one contract. */
export function FuturesPage() {
  const [query] = useQuery<"/home/futures">();
  const code = query.get("code");
  return code === null ? <FuturesTabs /> : <FuturesForm key={code} code={code} />;
}

function FuturesTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/futures">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "contracts";
  return (
    <Screen
      header={<BackHeader title={t("app.title.futures")} fallback="/home/allTool" />}
      top={
        <Tabs
          label={t("app.title.futures")}
          tabs={PARTS.map((value) => ({ value, label: t(`futures.part.${value}`) }))}
          value={part}
          onChoose={(next) => setQuery({ part: next })}
          panelId="futures"
        />
      }
    >
      <div id="futures" role="tabpanel" aria-label={t(`futures.part.${part}`)} className={styles.panel}>
        {part === "contracts" && <Contracts />}
        {part === "mine" && <FuturesPositions />}
        {part === "trades" && <FuturesTrades />}
      </div>
    </Screen>
  );
}

function Contracts() {
  const { t } = useTranslation();
  const [product, setProduct] = useState<FuturesProduct>("TX");
  const { value, state, failure, retry } = useFutures();
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("futures.failed")} code={failure ?? ""} onRetry={retry} />;
    return skeleton ? <Skeleton rows={8} /> : null;
  }
  const shown = value.contracts.filter((one) => one.product === product);
  return (
    <>
      <div className={styles.inset}>
        {facts && (
          <MissingNotice
            title={t("futures.blocked")}
            missing={missingFor("tradeFutures", facts).slice(0, 1)}
            agreement="futures"
            supply={t("fund.supply")}
          />
        )}
        <Account futures={value} />
        {shown.length > 0 && (
          <Segmented
            label={t("futures.productLabel")}
            options={FUTURES_PRODUCTS.map((one) => ({ value: one, label: one }))}
            value={product}
            onChoose={setProduct}
          />
        )}
      </div>
      {shown.length > 0 ? (
        <Section title={t(`futures.product.${product}`)}>
          <ul role="list" aria-label={t(`futures.product.${product}`)} className={styles.rows}>
            {shown.map((contract) => (
              <li key={contract.code}>
                <ContractRow contract={contract} />
              </li>
            ))}
          </ul>
        </Section>
      ) : (
        <EmptyState title={t("futures.none")} why={t("futures.noneWhy")} />
      )}
      <div className={styles.inset}>
        <FuturesNotes />
      </div>
    </>
  );
}

function Account({ futures: { account, index, open } }: { futures: Futures }) {
  const { t } = useTranslation();
  const fields = [
    ...(index === null ? [] : [{ label: t("futures.index"), value: formatPrice(index) }]),
    { label: t("futures.wallet"), value: formatTwd(account.walletCents) },
    { label: t("futures.equity"), value: formatTwd(account.equityCents) },
    { label: t("futures.initial"), value: formatTwd(account.initialCents) },
    { label: t("futures.maintenance"), value: formatTwd(account.maintenanceCents) },
    ...(account.riskPercent === null ? [] : [{ label: t("futures.indicator"), value: `${account.riskPercent}%` }]),
    { label: t("futures.free"), value: formatTwd(account.freeCents) },
  ];
  return (
    <>
      {account.called && (
        <BlockedNotice
          title={t("futures.called")}
          why={t("futures.calledWhy", { amount: formatTwd(account.neededCents) })}
          action={{ label: t("futures.move"), to: "/information/payBag" }}
        />
      )}
      {!open && <p className={styles.status}>{t("futures.closed")}</p>}
      <Card label={t("futures.account")}>
        <FieldList fields={fields} />
        <ButtonLink to="/information/payBag">{t("futures.move")}</ButtonLink>
      </Card>
    </>
  );
}

function ContractRow({ contract }: { contract: FuturesContract }) {
  const { t } = useTranslation();
  const nameOf = useContractName();
  const { bid, ask, lastTradeAt } = contract;
  return (
    <Link to={pathTo("/home/futures", { code: contract.code })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(contract.code)}</span>
        <span className={styles.small}>{`${t("futures.lastTrade")} ${formatDateTime(lastTradeAt)}`}</span>
      </span>
      <span className={styles.numbers}>
        {bid === null || ask === null ? (
          <span className={styles.small}>{t("futures.noQuote")}</span>
        ) : (
          <>
            <span className={styles.price}>{t("futures.pair", { first: grouped(String(bid)), second: grouped(String(ask)) })}</span>
            <span className={styles.small}>{t("futures.pair", { first: t("futures.bid"), second: t("futures.ask") })}</span>
          </>
        )}
      </span>
    </Link>
  );
}
