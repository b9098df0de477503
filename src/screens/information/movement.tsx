/** One movement of money with all its ledger lines, the broker's side included; each currency sums to zero. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { FlowLine } from "#contract/wallet.ts";
import { pathTo } from "#src/paths.ts";
import { useResource } from "#src/streams/resource.ts";
import { movementOf } from "#src/streams/wallets.ts";
import type { Movement } from "#src/streams/wallets.ts";
import { useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./money.module.css";

/** `/information/movement` */
export function MovementPage() {
  const { t } = useTranslation();
  const [query] = useQuery<"/information/movement">();
  const no = query.get("no") ?? "";
  return (
    <Screen header={<BackHeader title={t("wallet.movement")} subtitle={no} fallback="/information/fundRecord" />}>
      <OneMovement key={no} no={no} />
    </Screen>
  );
}

function OneMovement({ no }: { no: string }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useResource(movementOf(no));
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <div className={styles.page}>
      {value === null && skeleton && <Skeleton rows={5} />}
      {state === "failed" && <ErrorState what={t("wallet.linesFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && <Lines known={value} />}
    </div>
  );
}

function Lines({ known: { kind, at, orderNo, series, flowNo, lines } }: { known: Movement }) {
  const { t } = useTranslation();
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  return (
    <>
      <div className={styles.inset}>
        <Card label={t("wallet.movement")}>
          <FieldList
            fields={[
              { label: t("wallet.kind"), value: t(`information.flow.kind.${kind}`) },
              { label: t("wallet.time"), value: formatDateTime(at) },
              { label: t("wallet.number"), value: flowNo },
              ...(orderNo === null ? [] : [{ label: t("wallet.order"), value: orderNo }]),
              ...(series === null ? [] : [{ label: t("wallet.series"), value: series }]),
            ]}
          />
        </Card>
      </div>
      {currencies.map((currency) => (
        <Section key={currency} title={`${currency} · ${t(`wallet.currency.${currency}`)}`}>
          <List label={currency}>
            {lines
              .filter((line) => line.currency === currency)
              .map((line) => (
                <Line key={line.line} line={line} />
              ))}
          </List>
        </Section>
      ))}
      <p className={styles.note}>{t("wallet.doubleEntry")}</p>
    </>
  );
}

function Line({ line: { currency, pocket, broker, amountCents, balanceCents } }: { line: FlowLine }) {
  const { t } = useTranslation();
  const trailing = formatMoney(amountCents, "always");
  if (pocket !== null)
    return (
      <Row
        title={t(`wallet.pocket.${pocket}`)}
        subtitle={balanceCents === null ? null : t("wallet.after", { amount: formatMoney(balanceCents) })}
        trailing={trailing}
        to={pathTo("/information/balance", { currency, pocket })}
      />
    );
  return <Row title={t(`wallet.broker.${broker ?? "external"}`)} subtitle={t("wallet.brokerSide")} trailing={trailing} />;
}
