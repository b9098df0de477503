/** The wallets that the member sends USDT from: registered with the fund password, shown with a QR code, removed. */
import { Wallet } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { NETWORKS } from "#contract/wallet-address.ts";
import type { Network, WalletAddress } from "#contract/wallet-address.ts";
import { useFields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { useMember } from "#src/streams/member.ts";
import { useRules } from "#src/streams/rules.ts";
import { useWalletAddresses, walletAddresses } from "#src/streams/wallet-addresses.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Blocked } from "./blocked.tsx";
import { FundingError } from "./funding-error.tsx";
import { QrCode } from "./qr-code.tsx";
import styles from "./funding.module.css";

const QR_PIXELS = 160;
const LONGEST: Record<Network, number> = { trc20: 34, erc20: 42 };

/** `/information/usdtAddress` */
export function WalletAddresses() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useWalletAddresses();
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  const missing = facts ? missingFor("addWalletAddress", facts) : [];
  return (
    <Screen header={<BackHeader title={t("address.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          <p className={styles.note}>{t("address.intro")}</p>
          <Blocked title={t("address.blocked")} missing={missing} />
        </div>
        {value === null && skeleton && <Skeleton rows={4} />}
        {value === null && state === "failed" && <ErrorState what={t("address.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.addresses.length === 0 && <EmptyState icon={<Wallet size={32} aria-hidden />} title={t("address.none")} />}
        {value && value.addresses.length > 0 && (
          <div className={styles.inset}>
            {value.addresses.map((one) => (
              <OneAddress key={one.addressId} known={one} />
            ))}
          </div>
        )}
        {value && facts && missing.length === 0 && (
          <Section title={t("address.add")} inset>
            {value.addresses.length < value.most ? <AddressForm /> : <p className={styles.note}>{t("address.full", { n: value.most })}</p>}
          </Section>
        )}
      </div>
    </Screen>
  );
}

function OneAddress({ known: { addressId, network, address, addedAt } }: { known: WalletAddress }) {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  const removal = useRequest("removeAddress", {
    onAccepted: () => {
      walletAddresses.refetch();
      showToast(t("operation.OP_DELETE_OK"), "success");
    },
    onArrived: () => walletAddresses.refetch(),
  });
  return (
    <Card label={address}>
      <div className={styles.form}>
        <FieldList
          fields={[
            { label: t("address.network"), value: t(`address.networks.${network}`) },
            { label: t("address.address"), value: <span className={styles.long}>{address}</span> },
            { label: t("card.addedAt"), value: formatDateTime(addedAt) },
          ]}
        />
        <QrCode text={address} label={t("address.qr", { address })} pixels={QR_PIXELS} />
        <FundingError request={removal} />
        <div className={styles.amounts}>
          <Button tone="danger" busy={removal.busy} onClick={() => setRemoving(true)}>
            {t("address.remove")}
          </Button>
        </div>
      </div>
      <Alert
        open={removing}
        title={t("address.removeTitle")}
        confirm={t("address.remove")}
        onClose={() => setRemoving(false)}
        onConfirm={() => {
          setRemoving(false);
          removal.submit({ addressId });
        }}
      >
        <p>{t("address.removeWhy")}</p>
      </Alert>
    </Card>
  );
}

function AddressForm() {
  const { t } = useTranslation();
  const [network, setNetwork] = useState<Network>("trc20");
  const hours = useRules().value?.account.slowHours;
  const request = useRequest("addAddress", {
    fields: ["network", "address", "fundPassword"],
    onAccepted: () => {
      clear();
      walletAddresses.refetch();
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      request.reset();
    },
    onArrived: () => walletAddresses.refetch(),
  });
  const { values, field, form, clear } = useFields({ address: "", fundPassword: "" }, request);
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ ...values, network });
      }}
    >
      {hours !== undefined && <p className={styles.note}>{t("address.slowed", { hours })}</p>}
      <Segmented
        label={t("address.network")}
        value={network}
        options={NETWORKS.map((value) => ({ value, label: t(`address.networks.${value}`) }))}
        onChoose={(chosen) => {
          setNetwork(chosen);
          request.edit("address");
        }}
      />
      <TextField
        {...field("address")}
        label={t("address.address")}
        hint={t(`address.hint.${network}`)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LONGEST[network]}
      />
      <TextField
        {...field("fundPassword")}
        label={t("app.title.fundPassword")}
        type="password"
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
      />
      <FundingError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("address.save")}
      </Button>
    </form>
  );
}
