/** Subject and text of a message in the reader's language. */
import { useTranslation } from "react-i18next";
import { announcementIn, announcementWords } from "#contract/announcement.ts";
import { codeOf } from "#contract/announcement-key.ts";
import type { Message } from "#contract/message.ts";
import { useInstruments } from "#src/streams/instruments.ts";

/** The subject and text of a message, in a component. */
export function useMessageWords(message: Message): { title: string; text: string } {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const announcement = announcementIn(message);
  if (!announcement) return { title: t("message.welcome.title"), text: t("message.welcome.text") };
  const instrument = table?.byCode.get(codeOf(announcement) ?? "");
  return announcementWords(announcement, { language: i18n.language, instrument, t: (key, values) => t(key, values ?? {}) });
}
