/** The form of a deposit in TWD: amount, channel password where the channel asks for one, and proof. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { depositRefusal } from "#contract/deposit.ts";
import type { DepositChannel } from "#contract/deposit.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeDeposit } from "#src/streams/deposits.ts";
import type { Depositing } from "#src/streams/deposits.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { ChannelPasswordSection } from "./channel-password.tsx";
import { DepositProof } from "./deposit-proof.tsx";
import { FundingError } from "./funding-error.tsx";
import styles from "./funding.module.css";

const AMOUNTS = [10_000, 50_000, 100_000, 500_000];
const FIELDS = ["amount", "channelPassword", "proofId", "channelId"] as const;

/** The whole units of a typed text; null for anything else. */
export function wholeUnits(text: string): number | null {
  const digits = text.replaceAll(",", "");
  return /^\d{1,10}$/.test(digits) ? Number(digits) : null;
}

function useSubmission(channel: DepositChannel, leftTodayCents: number) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useRequest("submitDeposit", {
    fields: FIELDS,
    check: (body) => {
      const refusal = depositRefusal(channel, body.amount, {
        homeCents: body.amount * 100,
        leftTodayCents,
        hasProof: body.proofId !== null,
      });
      return refusal ? [refusal] : [];
    },
    onAccepted: (deposit) => {
      takeDeposit(deposit);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/information/rechargeChannel", { no: deposit.depositNo }), { replace: true });
    },
  });
}

export function DepositForm({ channel, known }: { channel: DepositChannel; known: Depositing }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [channelPassword, setChannelPassword] = useState("");
  const [proofId, setProofId] = useState<string | null>(null);
  const { leftTodayCents } = known;
  const amount = wholeUnits(text);
  const request = useSubmission(channel, leftTodayCents);
  return (
    <>
      {channel.needsPassword && <ChannelPasswordSection isSet={known.channelPassword} />}
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          request.submit({ channelId: channel.id, amount, proofId, channelPassword: channel.needsPassword ? channelPassword : null });
        }}
      >
        <Amount
          channel={channel}
          leftTodayCents={leftTodayCents}
          text={text}
          error={request.errorAt("amount") ?? request.errorAt("channelId")}
          onText={(next) => {
            setText(next);
            request.edit("amount");
          }}
        />
        {channel.needsPassword && (
          <TextField
            label={t("deposit.password.title")}
            value={channelPassword}
            type="password"
            autoComplete="off"
            maxLength={20}
            error={request.errorAt("channelPassword")}
            onText={(next) => {
              setChannelPassword(next);
              request.edit("channelPassword");
            }}
          />
        )}
        {channel.needsProof && (
          <DepositProof
            error={request.errorAt("proofId")}
            onChange={(id) => {
              setProofId(id);
              if (id !== null) request.edit("proofId");
            }}
          />
        )}
        <FundingError request={request} />
        <Button type="submit" tone="primary" size="large" block busy={request.busy}>
          {t("deposit.submit")}
        </Button>
      </form>
    </>
  );
}

interface AmountProps {
  channel: DepositChannel;
  leftTodayCents: number;
  text: string;
  error: string | null;
  onText: (text: string) => void;
}

/** The amount in whole units, with chips for usual ones. */
function Amount({ channel: { paid, minimum, maximum }, leftTodayCents, text, error, onText }: AmountProps) {
  const { t } = useTranslation();
  const bounds = { currency: paid, min: grouped(String(minimum)), max: grouped(String(maximum)) };
  return (
    <>
      <TextField
        label={t("deposit.amount", { currency: paid })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        error={error}
        hint={`${t("deposit.bounds", bounds)} · ${t("deposit.leftToday", { amount: formatMoney(leftTodayCents) })}`}
        onText={onText}
      />
      <div className={styles.amounts}>
        {AMOUNTS.filter((one) => one >= minimum && one <= maximum).map((one) => (
          <Chip key={one} pressed={wholeUnits(text) === one} onPress={() => onText(String(one))}>
            {grouped(String(one))}
          </Chip>
        ))}
      </div>
    </>
  );
}
