/** The figures of the day: open, previous close, high, low, volume, turnover, price limits. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { volumeUnit } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { isUnlimited } from "#contract/tick.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import type { QuoteCellField } from "#src/streams/worker.ts";
import { FieldList } from "#src/ui/row.tsx";
import styles from "./detail.module.css";

const FIELDS = ["open", "reference", "high", "low", "volume", "turnover"] as const satisfies readonly QuoteCellField[];
const LIMITS = ["limitUp", "limitDown"] as const satisfies readonly QuoteCellField[];

/** Live cells in two columns; price limits where the instrument has them. */
export function Stats({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const opensAt = useVenue()?.opensAt ?? 0;
  const unit = t(`market.unit.${volumeUnit(instrument)}`);
  const limited = !isUnlimited(instrument, opensAt);
  const fields: { label: string; value: ReactNode }[] = [...FIELDS, ...(limited ? LIMITS : [])].map((field) => ({
    label: t(`market.stat.${field}`, { unit }),
    value: <QuoteCell code={instrument.code} field={field} />,
  }));
  // A tradable instrument without limits says so: most have limits, and users would look for them.
  if (!limited && instrument.tradable) fields.push({ label: t("market.stat.dayLimit"), value: t("market.stat.noLimit") });
  return (
    <section className={styles.stats} aria-label={t("market.stats")}>
      <FieldList columns={2} fields={fields} />
    </section>
  );
}
