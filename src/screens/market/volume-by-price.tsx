/** The session's volume by price: a list with a bar for each price, estimated from minute bars and labelled as such. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatPercent, formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { readVolumeByPrice } from "#src/streams/candles.ts";
import { useVenue } from "#src/streams/instruments.ts";
import type { VolumeByPrice as Read } from "#src/streams/worker.ts";
import { EmptyState, ErrorState, Skeleton } from "#src/ui/state.tsx";
import styles from "./tape.module.css";

const REFRESH_MS = 15_000;

/** The list; a retry mounts it again. */
export function VolumeByPrice({ instrument }: { instrument: Instrument }) {
  const [attempt, setAttempt] = useState(0);
  return <Volumes key={attempt} instrument={instrument} onRetry={() => setAttempt(attempt + 1)} />;
}

/** Read again every few seconds while it is shown. */
function Volumes({ instrument, onRetry }: { instrument: Instrument; onRetry: () => void }) {
  const { t } = useTranslation();
  const { code, kind, decimals } = instrument;
  const opensAt = useVenue()?.opensAt;
  const [volumes, setVolumes] = useState<Read | "failed" | null>(null);
  useEffect(() => {
    if (opensAt === undefined) return;
    let left = false;
    const read = (): void =>
      void readVolumeByPrice(code, kind, opensAt).then(
        (now) => !left && setVolumes(now),
        () => !left && setVolumes((before) => (typeof before === "object" && before ? before : "failed")),
      );
    read();
    const timer = window.setInterval(read, REFRESH_MS);
    return () => {
      left = true;
      window.clearInterval(timer);
    };
  }, [code, kind, opensAt]);
  if (volumes === null) return <Skeleton rows={8} shape="text" />;
  if (volumes === "failed") return <ErrorState what={t("market.byPrice.failed")} onRetry={onRetry} />;
  if (volumes.total === 0) return <EmptyState why={t("market.tape.none")} />;
  const most = Math.max(...volumes.prices.map(([, lots]) => lots));
  return (
    <>
      <p className={styles.note}>
        {t("market.byPrice.says", { from: formatTime(volumes.from).slice(0, 5), to: formatTime(volumes.to).slice(0, 5) })}
      </p>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("market.tape.price")}</th>
              <th scope="col">{t("market.tape.lots")}</th>
              <th scope="col">{t("market.byPrice.share")}</th>
              <td aria-hidden />
            </tr>
          </thead>
          <tbody>
            {volumes.prices.map(([price, lots]) => (
              <tr key={price}>
                <td data-column="price">{formatPrice(price, decimals)}</td>
                <td>{grouped(String(lots))}</td>
                <td>{formatPercent(Math.round((lots * 10_000) / volumes.total), "never")}</td>
                <td aria-hidden>
                  <span className={styles.share} style={{ scale: `${(lots / most).toFixed(3)} 1` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
