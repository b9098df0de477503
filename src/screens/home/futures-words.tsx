/** What screens of futures share: how a contract is called, and how it is traded. */
import { useTranslation } from "react-i18next";
import type { FuturesProduct } from "#contract/futures-price.ts";
import styles from "./fund.module.css";

const NOTES = ["order", "hours", "settle", "final", "margin", "debt"] as const;

/** The short name of the product and the delivery month. */
export function useContractName(): (code: string) => string {
  return (code) => {
    const [product, ...month] = code.split("-");
    return `${product as FuturesProduct} ${month.join("/")}`;
  };
}

export function FuturesNotes() {
  const { t } = useTranslation();
  return (
    <section className={styles.notes} aria-label={t("futures.notes")}>
      <h2 className={styles.strong}>{t("futures.notes")}</h2>
      {NOTES.map((note) => (
        <p key={note}>{t(`futures.note.${note}`)}</p>
      ))}
    </section>
  );
}
