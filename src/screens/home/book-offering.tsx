/** A reminder of an upcoming offering: booked once, without money. */
import { useTranslation } from "react-i18next";
import type { OfferingEntry } from "#contract/offering.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { takeBooking } from "#src/streams/offerings.ts";
import { Button } from "#src/ui/button.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./new-share.module.css";

export function Book({ entry: { offering, booked } }: { entry: OfferingEntry }) {
  const { t } = useTranslation();
  const { offeringNo } = offering;
  const request = useRequest("bookOffering", {
    fields: [],
    onAccepted: () => {
      takeBooking(offeringNo);
      showToast(t("operation.OP_BOOK_OK"), "success");
    },
  });
  if (booked) {
    return (
      <p className={styles.note} role="status">
        {t("offering.booked")}
      </p>
    );
  }
  return (
    <div className={styles.form}>
      <RequestError request={request} />
      <Button tone="primary" size="large" block busy={request.busy} onClick={() => request.submit({ offeringNo })}>
        {t("offering.book")}
      </Button>
      <p className={styles.note}>{t("offering.bookWhy")}</p>
    </div>
  );
}
