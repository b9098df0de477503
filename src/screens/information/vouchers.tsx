/** The member's fee vouchers: what each is worth, until when, and which order used it. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Voucher } from "#contract/voucher.ts";
import { pathTo } from "#src/paths.ts";
import { useVouchers } from "#src/streams/rewards.ts";
import { Button } from "#src/ui/button.tsx";
import { List, Row, Section } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./funding.module.css";

export function Vouchers() {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useVouchers();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Section title={t("reward.vouchers")}>
      <div className={styles.inset}>
        <p className={styles.note}>{t("reward.how")}</p>
      </div>
      {value === null && skeleton && <Skeleton rows={3} />}
      {value === null && state === "failed" && <ErrorState what={t("reward.failed")} code={failure ?? ""} onRetry={retry} />}
      {value?.items.length === 0 && <EmptyState title={t("reward.noVouchers")} />}
      {value && value.items.length > 0 && (
        <List label={t("reward.vouchers")}>
          {value.items.map((voucher) => (
            <OneVoucher key={voucher.voucherNo} voucher={voucher} />
          ))}
        </List>
      )}
      {value && value.next !== null && (
        <div className={styles.inset}>
          <Button busy={moreState === "loading"} onClick={more}>
            {t("reward.more")}
          </Button>
        </div>
      )}
    </Section>
  );
}

function OneVoucher({ voucher: { status, faceCents, expiresAt, orderNo, paidCents } }: { voucher: Voucher }) {
  const { t } = useTranslation();
  const values = { orderNo: orderNo ?? "", amount: formatMoney(paidCents), at: formatDateTime(expiresAt) };
  const words = { available: "reward.until", reserved: "reward.reservedFor", used: "reward.usedFor", expired: "reward.expiredOn" } as const;
  return (
    <Row
      title={t("reward.face", { amount: formatMoney(faceCents) })}
      subtitle={t(words[status], values)}
      {...(orderNo === null ? {} : { to: pathTo("/trade/positionDetail", { orderNo }) })}
    />
  );
}
