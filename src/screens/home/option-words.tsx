/** What screens of options share: how a series is called, what an order brings, and how options are traded. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { seriesOf } from "#contract/option-code.ts";
import styles from "./fund.module.css";

const NOTES = [
  "options.note.order",
  "options.note.hours",
  "options.note.premium",
  "options.note.margin",
  "futures.note.debt",
  "options.note.expiry",
  "options.note.dividend",
] as const;

/** A month as in a code, as it is written. */
export const monthText = (month: string): string => month.replace("-", "/");

/** The name of a series: product, month, strike, and call or put; `strike` where it is not the code's any more. */
export function useSeriesName(): (code: string, strike?: number) => string {
  const { t } = useTranslation();
  return (code, now) => {
    const { month, right, strike } = seriesOf(code);
    return `TXO ${monthText(month)} ${grouped(String(now ?? strike))} ${t(`options.right.${right}`)}`;
  };
}

export function OptionNotes() {
  const { t } = useTranslation();
  return (
    <section className={styles.notes} aria-label={t("options.notes")}>
      <h2 className={styles.strong}>{t("options.notes")}</h2>
      {NOTES.map((note) => (
        <p key={note}>{t(note)}</p>
      ))}
    </section>
  );
}
