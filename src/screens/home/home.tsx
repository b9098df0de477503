/** The first tab: what I own, where the market stands, my stocks, and the ways on. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMember } from "#src/streams/member.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IndexStrip } from "#src/screens/quote/index-strip.tsx";
import { QuoteLists } from "#src/screens/quote/quote-lists.tsx";
import type { ListName } from "#src/screens/quote/lists.ts";
import { EmptyState } from "#src/ui/state.tsx";
import { HomeBar, Screen } from "#src/ui/screen.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { Assets } from "./assets.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import styles from "./home.module.css";

/** `/home/index` */
export function Home() {
  const { t } = useTranslation();
  const [list, setList] = useState<ListName>("watchlist");
  const [inbox, setInbox] = useState(false);
  const unread = useMember().value?.unread ?? 0;
  return (
    <Screen
      header={<HomeBar title={t("home.title")} searchTo="/favorite/search" onBell={() => setInbox(true)} unread={unread} />}
      top={<StaleNotice />}
      scroll="own"
    >
      <QuoteLists
        list={list}
        onChoose={setList}
        above={
          <div className={styles.above}>
            <Assets />
            <IndexStrip />
            <Shortcuts />
          </div>
        }
      />
      <Sheet open={inbox} onClose={() => setInbox(false)} title={t("home.inbox")}>
        <EmptyState title={t("home.noMessages")} why={t("home.noMessagesWhy")} />
      </Sheet>
    </Screen>
  );
}
