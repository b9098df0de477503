/** The member's block purchases, newest first: each with its status, why it ended, its money and its lock. */
import { useTranslation } from "react-i18next";
import type { BlockOrder } from "#contract/block-order.ts";
import { formatPrice, formatTwd } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { pathTo } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { takeBlockOrder, useBlockOrders } from "#src/streams/block-orders.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { useShares } from "./block-notes.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./block.module.css";

const CARD_PX = 320;
const CARD_GAP_PX = 12;

/** `/home/blockTrade2` */
export function BlockOrders() {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useBlockOrders();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("block.mine")} fallback="/home/blockTrade" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={t("block.mineFailed")} code={failure ?? ""} onRetry={retry} />}
        {value?.items.length === 0 && (
          <EmptyState title={t("block.mineNone")} why={t("block.noneWhy")} action={{ label: t("block.all"), to: "/home/blockTrade" }} />
        )}
        {value && value.items.length > 0 && (
          <MeasuredList
            label={t("block.mine")}
            items={value.items}
            keyOf={({ blockNo }) => blockNo}
            estimatePx={CARD_PX}
            gapPx={CARD_GAP_PX}
            onNearEnd={value.next !== null && moreState === "idle" ? more : undefined}
          >
            {(order) => <PurchaseCard order={order} />}
          </MeasuredList>
        )}
        {value && value.next !== null && (
          <Button busy={moreState === "loading"} onClick={more}>
            {t("block.more")}
          </Button>
        )}
      </div>
    </Screen>
  );
}

function PurchaseCard({ order }: { order: BlockOrder }) {
  const { t, i18n } = useTranslation();
  const shares = useShares();
  const instrument = useInstruments()?.byCode.get(order.code);
  const name = instrument ? `${shortName(instrument, i18n.language)} ${order.code}` : order.code;
  const total = order.valueCents + order.feeCents;
  return (
    <Card label={`${name} ${order.blockNo}`}>
      <h2 className={styles.name}>{name}</h2>
      <p className={styles.state}>
        {t(`block.status.${order.status}`)}
        {order.reason !== null && <span className={styles.notes}>{t(`message.block.reason.${order.reason}`)}</span>}
      </p>
      <FieldList
        fields={[
          { label: t("block.field.shares"), value: shares(order.shares) },
          { label: t("block.field.price"), value: formatPrice(order.price) },
          { label: t("block.field.total"), value: formatTwd(total) },
          { label: t("block.field.fee"), value: formatTwd(order.feeCents) },
          { label: t("block.field.placed"), value: formatDateTime(order.placedAt) },
          { label: t("block.field.lock"), value: formatDateTime(order.unlocksAt) },
        ]}
      />
      {order.orderNo !== null && (
        <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: order.orderNo })}>{t("block.toPosition")}</ButtonLink>
      )}
      {order.status === "pending" && <Cancel order={order} />}
    </Card>
  );
}

function Cancel({ order: { blockNo } }: { order: BlockOrder }) {
  const { t } = useTranslation();
  const request = useRequest("cancelBlock", { fields: [], onAccepted: takeBlockOrder });
  return (
    <>
      <RequestError request={request} />
      <Button busy={request.busy} onClick={() => request.submit({ blockNo })}>
        {t("block.cancel")}
      </Button>
    </>
  );
}
