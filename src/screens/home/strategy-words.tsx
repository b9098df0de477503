/** Words that the screens of strategies share: what everybody should know, lists, and the choice of an instrument. */
import { useTranslation } from "react-i18next";
import type { Code } from "#contract/kernel/id.ts";
import { formatTwd, price, worth } from "#contract/kernel/money.ts";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useQuote } from "#src/streams/quotes.ts";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { FieldList } from "#src/ui/row.tsx";
import styles from "./fund.module.css";

const NOTES = ["past", "daily", "lots", "limit", "stop"] as const;

export function StrategyNotes() {
  const { t } = useTranslation();
  return (
    <ul className={styles.notes}>
      {NOTES.map((note) => (
        <li key={note}>{t(`strategy.note.${note}`)}</li>
      ))}
    </ul>
  );
}

/** Names or parts one after the other. */
export function useList(): (parts: readonly string[]) => string {
  const { i18n } = useTranslation();
  return (parts) => parts.join(i18n.language.startsWith("zh") ? "、" : ", ");
}

/** What a strategy trades. */
export function CodeChips({ value, onChoose }: { value: Code; onChoose: (code: Code) => void }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  return (
    <div>
      <p className={styles.label} aria-hidden>
        {t("strategy.field.code")}
      </p>
      <ChipRow label={t("strategy.field.code")} wraps>
        {STRATEGY_CODES.map((code) => (
          <Chip key={code} pressed={code === value} onPress={() => onChoose(code as Code)}>
            {nameOf(code)}
          </Chip>
        ))}
      </ChipRow>
    </div>
  );
}

/** What one board lot costs at the last price; nothing while there is none. */
export function LotNow({ code }: { code: Code }) {
  const { t } = useTranslation();
  const view = useQuote(code);
  if (!view || view.quote.last <= 0) return null;
  return (
    <FieldList fields={[{ label: t("strategy.field.lot"), value: formatTwd(worth(price(view.quote.last), view.instrument.lotShares)) }]} />
  );
}
