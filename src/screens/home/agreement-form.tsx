/** The form of an application under an agreement: its points, the signature if it is missing, and the application, sent once. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Agreement } from "#contract/eligibility.ts";
import { useRequest } from "#src/actors/request.ts";
import type { RequestOptions } from "#src/actors/request.ts";
import { pathTo } from "#src/paths.ts";
import { useAgreements } from "#src/streams/agreements.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { BlockedNotice, ErrorState } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./trading.module.css";

const FIELDS = ["agreed"] as const;

/** Commands whose only input is the member's consent. */
type Signing = "signDayTrading" | "applyMargin";

export interface AgreementFormProps<Name extends Signing> extends Pick<RequestOptions<Name>, "onAccepted" | "onArrived"> {
  name: Name;
  /** The agreement that has to be signed first. */
  kind: Agreement;
  title?: string;
  /** The agreement's points, each a list item. */
  children: ReactNode;
  /** The label of the checkbox, and of the button. */
  agree: string;
  sign: string;
}

export function AgreementForm<Name extends Signing>({ kind, title, children, ...form }: AgreementFormProps<Name>) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAgreements();
  const signed = value?.find((one) => one.kind === kind)?.signedAt != null;
  return (
    <div className={styles.form}>
      {title !== undefined && <h3>{title}</h3>}
      <ul className={styles.points}>{children}</ul>
      {value === null && state === "failed" && <ErrorState what={t("agreement.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && !signed && (
        <BlockedNotice
          title={t("agreement.signFirst")}
          why={t("agreement.signFirstWhy")}
          action={{ label: t("agreement.toSign"), to: pathTo("/information/shou", { kind }) }}
        />
      )}
      {signed && <Application {...form} />}
    </div>
  );
}

function Application<Name extends Signing>({
  name,
  agree,
  sign,
  ...outcome
}: Omit<AgreementFormProps<Name>, "kind" | "title" | "children">) {
  const { t } = useTranslation();
  const [agreed, setAgreed] = useState(false);
  const request = useRequest<Signing>(name, { ...(outcome as RequestOptions<Signing>), fields: FIELDS });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ agreed });
      }}
    >
      <Checkbox
        label={agree}
        on={agreed}
        onCheck={(on) => {
          setAgreed(on);
          request.edit("agreed");
        }}
      />
      {request.errorAt("agreed") !== null && (
        <p className={styles.trouble} role="alert">
          {t("dayTrading.agreeFirst")}
        </p>
      )}
      <RequestError request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {sign}
      </Button>
    </form>
  );
}
