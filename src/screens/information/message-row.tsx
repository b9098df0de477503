/** One message row of the inbox, with a mark for unread ones. */
import { pathTo } from "#src/paths.ts";
import { Link } from "#src/ui/link.tsx";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { useMessageWords } from "./message-words.ts";
import styles from "./message.module.css";

/** The height of a row at a 16 px root. */
export const MESSAGE_ROW_PX = 80;

/** A row that links to the message. */
export function MessageRow({ item }: { item: Message }) {
  const { t } = useTranslation();
  const { title, text } = useMessageWords(item);
  return (
    <Link to={pathTo("/information/msgInfo", { id: item.id })} className={styles.row ?? ""} data-unread={!item.read || undefined}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.texts}>
        <span className={styles.subject} data-whole={item.report !== undefined || undefined}>
          {!item.read && <Hidden>{t("message.new")}</Hidden>} {title}
        </span>
        {/* The subject of an order says it all, on three lines if need be; the page of the message has the rest. */}
        {!item.report && <span className={styles.text}>{text}</span>}
        <time className={styles.when} dateTime={new Date(item.at).toISOString()}>
          {formatDateTime(item.at)}
        </time>
      </span>
    </Link>
  );
}
