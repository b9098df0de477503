/** The form of an agreement: its points, a checkbox that confirms them, and the signature, which is sent once. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRequest } from "#src/actors/request.ts";
import type { RequestOptions } from "#src/actors/request.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./trading.module.css";

const FIELDS = ["agreed"] as const;

/** Commands whose only input is the member's consent. */
type Signing = "signDayTrading" | "applyMargin";

export interface AgreementFormProps<Name extends Signing> extends Pick<RequestOptions<Name>, "onAccepted" | "onArrived"> {
  name: Name;
  title?: string;
  /** The agreement's points, each a list item. */
  children: ReactNode;
  /** The label of the checkbox, and of the button. */
  agree: string;
  sign: string;
}

export function AgreementForm<Name extends Signing>({ name, title, children, agree, sign, ...outcome }: AgreementFormProps<Name>) {
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
      {title !== undefined && <h3>{title}</h3>}
      <ul className={styles.points}>{children}</ul>
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
