/** The inbox behind the bell: the broker's messages to the member, newest first. */
import { CheckCheck } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Message } from "#contract/message.ts";
import { readAllMessages, useMessages } from "#src/streams/messages.ts";
import { useMember } from "#src/streams/member.ts";
import { IconButton } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { MESSAGE_ROW_PX, MessageRow } from "./message-row.tsx";
import styles from "./message.module.css";

const keyOf = ({ id }: Message): string => id;

/** `/information/userInfo` */
export function Messages() {
  const { t } = useTranslation();
  const list = useMessages();
  const unread = useMember().value?.unread ?? 0;
  const { value, state, failure } = list;
  const skeleton = useSkeleton(value === null && state === "loading");
  const sections = useMemo(() => [{ id: "messages", items: value?.items ?? [] }], [value]);
  return (
    <Screen
      scroll="own"
      header={
        <BackHeader
          title={t("message.title")}
          subtitle={unread > 0 ? t("message.unread", { count: unread }) : null}
          action={
            unread > 0 && (
              <IconButton label={t("message.readAll")} icon={<CheckCheck size={22} aria-hidden />} onClick={() => void readAllMessages()} />
            )
          }
        />
      }
    >
      {!value && skeleton && <Skeleton rows={7} />}
      {!value && state === "failed" && <ErrorState what={t("message.failed")} code={failure ?? ""} onRetry={list.retry} />}
      {value?.items.length === 0 && (
        <EmptyState
          title={t("message.none")}
          why={t("message.noneWhy")}
          action={{ label: t("message.setAlert"), to: "/information/alerts" }}
        />
      )}
      {value && value.items.length > 0 && (
        <VirtualList
          label={t("message.title")}
          sections={sections}
          keyOf={keyOf}
          Row={MessageRow}
          rowPx={MESSAGE_ROW_PX}
          onNearEnd={() => {
            if (value.next !== null && list.moreState !== "loading") list.more();
          }}
          after={
            list.moreState === "failed" ? (
              <ErrorState what={t("message.failed")} onRetry={list.more} />
            ) : (
              value.next !== null && <p className={styles.end}>{t("message.more")}</p>
            )
          }
        />
      )}
    </Screen>
  );
}
