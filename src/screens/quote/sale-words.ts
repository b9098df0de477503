/** Words shared by what is sold before it is listed: the instrument's name, and a moment in few characters. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { formatDateTime, formatTime, taipeiDay } from "#contract/kernel/time.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { shortName } from "./names.ts";

/** A moment without seconds, as time only when it is today. */
export const shortMoment = (at: number): string =>
  (taipeiDay(at) === taipeiDay(Date.now()) ? formatTime(at) : formatDateTime(at)).slice(0, -3);

/** An instrument by name and code. */
export function useInstrumentName(): (code: string) => string {
  const { i18n } = useTranslation();
  const table = useInstruments();
  return (code) => {
    const instrument = table?.byCode.get(code);
    return instrument ? `${shortName(instrument, i18n.language)} ${code}` : code;
  };
}

/** Lots with their word, by the text of auctions or of funds; with `from` a range of them. */
export function useLots(text: `${"auction" | "fund"}.lots`): (lots: number, from?: number) => string {
  const { t } = useTranslation();
  const n = (lots: number): string => grouped(String(lots));
  return (lots, from) => t(text, { count: lots, n: from === undefined ? n(lots) : `${n(from)} – ${n(lots)}` });
}
