/** The wallet: every currency's balances down to their ledger lines, their value in TWD, conversion, and transfers between wallets. */
import { ArrowLeftRight, BanknoteArrowDown, ReceiptText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { CurrencyBalance } from "#contract/wallet.ts";
import { pathTo } from "#src/paths.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useWallets } from "#src/streams/wallets.ts";
import type { Wallets } from "#src/streams/wallets.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TransferForm } from "./transfer-form.tsx";
import styles from "./money.module.css";

/** `/information/payBag` */
export function WalletPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useWallets();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("wallet.title")} fallback="/information/index" />} top={<StaleNotice />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("wallet.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && <Balances known={value} />}
      </div>
    </Screen>
  );
}

/** TWD and US dollars are always shown, the others once they hold something. */
const isShown = ({ currency, pockets }: CurrencyBalance): boolean =>
  currency === HOME_CURRENCY || currency === "USD" || pockets.some(({ balanceCents }) => balanceCents !== 0);

function Balances({ known: { balances } }: { known: Wallets }) {
  const { t } = useTranslation();
  const total = balances.reduce((sum, { homeCents }) => sum + (homeCents ?? 0), 0);
  const usd = balances.find(({ currency }) => currency === "USD");
  const empty = balances.filter((balance) => !isShown(balance));
  return (
    <>
      <div className={styles.total}>
        <p>{t("wallet.total")}</p>
        <p className={styles.sum}>{formatMoney(total)}</p>
        <p>{t("wallet.usd", { amount: formatMoney(usd?.totalCents ?? 0) })}</p>
        <p>{t("wallet.atMid")}</p>
        <div className={styles.actions}>
          <ButtonLink tone="primary" to={pathTo("/information/exChange", {})} icon={<ArrowLeftRight size={20} aria-hidden />}>
            {t("wallet.convert")}
          </ButtonLink>
          <ButtonLink to="/information/recharge" icon={<BanknoteArrowDown size={20} aria-hidden />}>
            {t("wallet.deposit")}
          </ButtonLink>
          <ButtonLink to="/information/fundRecord" icon={<ReceiptText size={20} aria-hidden />}>
            {t("wallet.records")}
          </ButtonLink>
        </div>
      </div>
      {balances.filter(isShown).map((balance) => (
        <OneCurrency key={balance.currency} balance={balance} />
      ))}
      {empty.length > 0 && (
        <p className={styles.note}>{t("wallet.empty", { currencies: empty.map(({ currency }) => currency).join(" · ") })}</p>
      )}
      <TransferForm balances={balances} />
    </>
  );
}

/** One currency: its total, and every pocket with a link to its ledger lines. */
function OneCurrency({ balance: { currency, pockets, totalCents, homeCents } }: { balance: CurrencyBalance }) {
  const { t } = useTranslation();
  const name = `${currency} · ${t(`wallet.currency.${currency}`)}`;
  return (
    <Section title={name} action={<span className={styles.worth}>{formatMoney(totalCents)}</span>}>
      {currency !== HOME_CURRENCY && (
        <p className={styles.note}>{homeCents === null ? t("wallet.noPrice") : t("wallet.worth", { amount: formatMoney(homeCents) })}</p>
      )}
      <List label={name}>
        {pockets
          .filter(({ pocket, balanceCents }) => pocket === "available" || balanceCents !== 0)
          .map(({ pocket, balanceCents }) => (
            <Row
              key={pocket}
              compact
              title={t(`wallet.pocket.${pocket}`)}
              trailing={formatMoney(balanceCents)}
              to={pathTo("/information/balance", { currency, pocket })}
            />
          ))}
      </List>
    </Section>
  );
}
