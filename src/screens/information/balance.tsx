/** The ledger lines behind one balance, newest first, each with the balance after it. */
import { useTranslation } from "react-i18next";
import { CURRENCIES, HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { POCKETS } from "#contract/wallet.ts";
import type { Pocket } from "#contract/wallet.ts";
import { pathTo } from "#src/paths.ts";
import { usePages } from "#src/streams/pages.ts";
import { pocketEntries } from "#src/streams/wallets.ts";
import { Button } from "#src/ui/button.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./money.module.css";

/** `/information/balance` */
export function BalancePage() {
  const { t } = useTranslation();
  const [query] = useQuery<"/information/balance">();
  const currency = CURRENCIES.find((one) => one === query.get("currency")) ?? HOME_CURRENCY;
  const pocket = POCKETS.find((one) => one === query.get("pocket")) ?? "available";
  return (
    <Screen
      header={
        <BackHeader
          title={t(`wallet.pocket.${pocket}`)}
          subtitle={`${currency} · ${t(`wallet.currency.${currency}`)}`}
          fallback="/information/payBag"
        />
      }
    >
      <Entries key={`${currency} ${pocket}`} currency={currency} pocket={pocket} />
    </Screen>
  );
}

function Entries({ currency, pocket }: { currency: Currency; pocket: Pocket }) {
  const { t } = useTranslation();
  const list = usePages(pocketEntries(currency, pocket));
  const { value, state, failure } = list;
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <div className={styles.page}>
      <p className={styles.note}>{t(`wallet.pocketWhy.${pocket}`)}</p>
      {value === null && skeleton && <Skeleton rows={7} />}
      {state === "failed" && <ErrorState what={t("wallet.linesFailed")} code={failure ?? ""} onRetry={list.retry} />}
      {value?.items.length === 0 && <EmptyState title={t("wallet.noLines")} />}
      {value && value.items.length > 0 && (
        <List label={t("wallet.lines")}>
          {value.items.map(({ flowNo, line, kind, at, amountCents, balanceCents, code, series }) => (
            <Row
              key={`${flowNo}.${line}`}
              title={[t(`information.flow.kind.${kind}`), series ?? code].filter(Boolean).join(" · ")}
              subtitle={`${formatDateTime(at)} · ${t("wallet.after", { amount: formatMoney(balanceCents) })}`}
              trailing={formatMoney(amountCents, "always")}
              to={pathTo("/information/movement", { no: flowNo })}
            />
          ))}
        </List>
      )}
      {value?.next != null && (
        <Button block busy={list.moreState === "loading"} onClick={list.more}>
          {t("wallet.more")}
        </Button>
      )}
    </div>
  );
}
