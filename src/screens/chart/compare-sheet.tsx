/** The sheet that chooses what a chart is compared with: its index, or any instrument by search. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { searchInstruments } from "#src/streams/searches.ts";
import { List, Row } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./tools.module.css";

interface CompareSheetProps {
  open: boolean;
  onClose: () => void;
  /** The instrument of the chart. */
  code: string;
  /** Its index, offered before anything is typed. */
  index: Instrument | undefined;
  /** What it is compared with now. */
  other: Instrument | undefined;
  onCompare: (code: string | null) => void;
}

const MAX_RESULTS = 12;

/** A choice takes effect at once and closes the sheet. */
export function CompareSheet({ open, onClose, code, index, other, onCompare }: CompareSheetProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const found = useFound(text);
  const offered = (text === "" ? [index] : found).filter((one) => one !== undefined && one.code !== code);
  const choose = (to: string | null): void => {
    onCompare(to);
    onClose();
  };
  return (
    <Sheet open={open} onClose={onClose} title={t("chart.comparison.title")}>
      <div className={styles.tools}>
        <TextField label={t("chart.comparison.find")} type="search" autoComplete="off" value={text} onText={setText} />
        <p className={styles.hint} role="status">
          {text !== "" && offered.length === 0 ? t("chart.comparison.none") : t("chart.comparison.says")}
        </p>
        <div className={styles.rows}>
          <List label={t("chart.comparison.title")}>
            {other && text === "" && (
              <Row compact title={t("chart.comparison.stop", { name: shortName(other) })} onPress={() => choose(null)} />
            )}
            {offered.map((one) => (
              <Row key={one?.code} compact title={one && shortName(one)} subtitle={one?.code} onPress={() => choose(one?.code ?? null)} />
            ))}
          </List>
        </div>
      </div>
    </Sheet>
  );
}

/** The instruments that match, best first; the previous ones stay until the next have been found. */
function useFound(text: string): readonly Instrument[] {
  const [found, setFound] = useState<readonly Instrument[]>([]);
  useEffect(() => {
    if (text === "") return;
    let cancelled = false;
    void searchInstruments(text, MAX_RESULTS).then((instruments) => {
      if (!cancelled) setFound(instruments);
    });
    return () => {
      cancelled = true;
    };
  }, [text]);
  return found;
}
