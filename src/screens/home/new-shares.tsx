/** New-share and new-bond subscriptions and placements: by phase and kind, and as a calendar of their dates. */
import { CalendarDays, ClipboardList } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { OfferingList } from "#src/screens/quote/offering-list.tsx";
import { OFFERING_TABS } from "#src/screens/quote/offering-tabs.ts";
import { SUBSCRIBED_KINDS } from "#src/streams/offerings.ts";
import type { SubscribedKind } from "#src/streams/offerings.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { OfferingCalendar } from "./offering-calendar.tsx";
import styles from "./new-share.module.css";

const TABS = [...OFFERING_TABS, "calendar"] as const;

const tabOf = (text: string | null): (typeof TABS)[number] => TABS.find((one) => one === text) ?? "open";

/** `/home/newStock`; `?tab=` is the first tab. The address stays as it is: beside an offering it is that page's. */
export function NewShares() {
  const { t } = useTranslation();
  const [query] = useQuery<"/home/newStock">();
  const asked = query.get("tab");
  const [known, setKnown] = useState(asked);
  const [tab, setTab] = useState(tabOf(asked));
  // The screen is kept: another link to it may name another tab.
  if (asked !== null && asked !== known) {
    setKnown(asked);
    setTab(tabOf(asked));
  }
  const [kind, setKind] = useState<SubscribedKind | null>(null);
  return (
    <Screen
      header={
        <BackHeader
          title={t("offering.title")}
          fallback="/home/allTool"
          action={
            <>
              <IconButton
                label={t("offering.tab.calendar")}
                icon={<CalendarDays size={22} aria-hidden />}
                pressed={tab === "calendar"}
                onClick={() => setTab(tab === "calendar" ? "open" : "calendar")}
              />
              <ToMine />
            </>
          }
        />
      }
      top={
        <>
          <StaleNotice />
          {tab !== "calendar" && (
            <Tabs
              label={t("offering.phases")}
              tabs={OFFERING_TABS.map((value) => ({ value, label: t(`offering.tab.${value}`) }))}
              value={tab}
              onChoose={setTab}
            />
          )}
          <div className={styles.chips}>
            <ChipRow label={t("offering.kinds")}>
              <Chip pressed={kind === null} onPress={() => setKind(null)}>
                {t("offering.all")}
              </Chip>
              {SUBSCRIBED_KINDS.map((one) => (
                <Chip key={one} pressed={one === kind} onPress={() => setKind(one)}>
                  {t(`offering.kind.${one}`)}
                </Chip>
              ))}
            </ChipRow>
          </div>
        </>
      }
      scroll="own"
    >
      {tab === "calendar" ? (
        <OfferingCalendar key={kind ?? "all"} kind={kind} />
      ) : (
        <OfferingList key={`${tab} ${kind ?? "all"}`} group={tab} kind={kind} />
      )}
    </Screen>
  );
}

/** To the member's own applications. */
function ToMine() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <IconButton
      label={t("offering.mine")}
      icon={<ClipboardList size={22} aria-hidden />}
      onClick={() => void navigate("/home/newShareOrder")}
    />
  );
}
