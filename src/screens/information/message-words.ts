/** A message in the reader's words. */
import { useTranslation } from "react-i18next";
import type { Message } from "#contract/message.ts";
import { alertFiredWords } from "#src/actors/alert-words.ts";
import { useInstruments } from "#src/streams/instruments.ts";

/** Subject and text of a message, in a component. */
export function useMessageWords({ alert }: Message): { title: string; text: string } {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  if (!alert) return { title: t("message.welcome.title"), text: t("message.welcome.text") };
  return alertFiredWords(alert, table?.byCode.get(alert.code), i18n.language, t);
}
