/** The load lab's content: the app's own list or chart over the simulated market. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { nameIn } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { openCandleSource } from "#src/screens/chart/candle-source.ts";
import { PriceChart } from "#src/screens/chart/price-chart.tsx";
import type { Frame } from "#contract/preference.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import styles from "./load.module.css";

/** The list of all instruments; row links are disabled here. */
export function LoadList({ label }: { label: string }) {
  const { i18n } = useTranslation();
  const table = useInstruments();
  const sections = useMemo(() => {
    const items = new Map<string, Instrument[]>((table?.categories ?? []).map(({ code }) => [code, []]));
    for (const instrument of table?.list ?? []) items.get(instrument.category)?.push(instrument);
    return (table?.categories ?? []).map((category) => {
      const own = items.get(category.code) ?? [];
      return { id: category.code, title: nameIn(i18n.language, category), note: own.length, items: own };
    });
  }, [table, i18n.language]);
  return (
    <div className={styles.show} onClickCapture={(event) => event.preventDefault()}>
      <QuoteList label={label} sections={sections} />
    </div>
  );
}

const SESSION = { opensAt: 0, closesAt: 0 };

/** A five-minute chart whose last bar changes with every update. */
export function LoadChart() {
  const { i18n } = useTranslation();
  const instrument = useInstruments()?.list[0];
  const [frame, setFrame] = useState<Frame>("minute5");
  if (!instrument) return null;
  return (
    <div className={styles.show}>
      <PriceChart
        code={instrument.code}
        name={nameIn(i18n.language, instrument)}
        kind={instrument.kind}
        decimals={instrument.decimals}
        session={SESSION}
        reference={null}
        limits={null}
        open={openCandleSource}
        frame={frame}
        onFrame={setFrame}
      />
    </div>
  );
}
