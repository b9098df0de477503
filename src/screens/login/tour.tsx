/** Three cards for newcomers before registration, which can be skipped; devices that have signed in before do not see them. */
import { ChartCandlestick, ShieldCheck, Ticket } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import styles from "./login.module.css";

const CARDS = [
  { name: "market", Icon: ChartCandlestick },
  { name: "shares", Icon: Ticket },
  { name: "money", Icon: ShieldCheck },
] as const;

export function Tour() {
  const { t } = useTranslation();
  const [at, setAt] = useState(0);
  const card = CARDS[at] ?? CARDS[0];
  const last = at === CARDS.length - 1;
  return (
    <Screen
      header={<BackHeader title={t("member.tour.title")} fallback="/login/start" />}
      footer={
        <div className={styles.ways}>
          {last ? (
            <ButtonLink to="/login/register" replace tone="primary" size="large" block>
              {t("member.tour.begin")}
            </ButtonLink>
          ) : (
            <>
              <Button tone="primary" size="large" block onClick={() => setAt(at + 1)}>
                {t("member.tour.next")}
              </Button>
              <ButtonLink to="/login/register" replace tone="quiet" block>
                {t("member.tour.skip")}
              </ButtonLink>
            </>
          )}
        </div>
      }
    >
      <section className={styles.welcome} aria-live="polite">
        <card.Icon className={styles.emblem} size={56} aria-hidden />
        <h2 className={styles.name}>{t(`member.tour.${card.name}`)}</h2>
        <p className={styles.promise}>{t(`member.tour.${card.name}Text`)}</p>
        <p className={styles.note}>{t("member.tour.step", { n: at + 1, count: CARDS.length })}</p>
      </section>
    </Screen>
  );
}
