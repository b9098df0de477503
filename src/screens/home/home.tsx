/** The home tab: assets, indices, shortcuts, the lists to trade from, and the digest. */
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTranslations } from "#src/gateway/language.ts";
import { useMember } from "#src/streams/member.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IndexStrip } from "#src/screens/quote/index-strip.tsx";
import { QuoteLists } from "#src/screens/quote/quote-lists.tsx";
import type { ListName } from "#src/screens/quote/lists.ts";
import { HomeBar, Screen } from "#src/ui/screen.tsx";
import { Assets } from "./assets.tsx";
import styles from "./home.module.css";

/** Not needed for the first paint: loaded after it. */
const Shortcuts = lazy(async () => ({ default: (await import("./shortcuts.tsx")).Shortcuts }));
const Digest = lazy(async () => {
  const [{ Digest }] = await Promise.all([import("./digest.tsx"), loadTranslations()]);
  return { default: Digest };
});

/** The rows between the tabs and the digest: two screens of them. */
const LISTED = 20;

/** `/home/index` */
export function Home() {
  const { t } = useTranslation();
  const [list, setList] = useState<ListName>("watchlist");
  const unread = useMember().value?.unread ?? 0;
  return (
    <Screen
      header={<HomeBar title={t("home.title")} searchTo="/favorite/search" bellTo="/information/userInfo" unread={unread} />}
      top={<StaleNotice />}
      scroll="own"
    >
      <QuoteLists
        list={list}
        onChoose={setList}
        size={LISTED}
        above={
          <div className={styles.above}>
            <Assets />
            <IndexStrip />
            <Suspense fallback={<div className={styles.waiting} />}>
              <Shortcuts />
            </Suspense>
          </div>
        }
        below={
          <Suspense>
            <Digest />
          </Suspense>
        }
      />
    </Screen>
  );
}
