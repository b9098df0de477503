/** The words for a position: its side and funding, and its size in lots and single shares. */
import { useTranslation } from "react-i18next";
import { unitsPerWhole } from "#contract/instrument.ts";
import { grouped } from "#contract/kernel/money.ts";
import type { PositionKey } from "#contract/position.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useUnits } from "./units.ts";

/** `Long`, `Margin short`, `Day long`, `Spot` for a coin: what a broker writes in the column beside the name. */
export function usePositionKind(): (position: Pick<PositionKey, "direction" | "funding" | "dayTrade"> & { code: string }) => string {
  const { t } = useTranslation();
  const table = useInstruments();
  return ({ code, direction, funding, dayTrade }) => {
    const instrument = table?.byCode.get(code);
    if (instrument?.kind === "crypto") return t("position.coin");
    const kind = t(`position.${direction}.${funding}`);
    if (!dayTrade) return kind;
    const day = t(`position.day.${direction}`);
    return funding === "cash" ? day : `${day} · ${kind}`;
  };
}

/** `3 lots`, `250 shares`, or `3 lots 250 shares`. */
export function useSharesWord(): (position: Pick<PositionKey, "code">, shares: number) => string {
  const { t } = useTranslation();
  const table = useInstruments();
  const units = useUnits();
  return ({ code }, shares) => {
    const instrument = table?.byCode.get(code);
    const lotShares = instrument?.lotShares ?? 1;
    const single = shares % lotShares;
    if (single === 0) return units(shares / lotShares, { lotShares, unitsPerWhole: instrument && unitsPerWhole(instrument) });
    const lots = (shares - single) / lotShares;
    return lots === 0
      ? units(single, { lotShares: 1 })
      : `${units(lots, { lotShares })} ${t("order.shares", { count: single, n: grouped(String(single)) })}`;
  };
}
