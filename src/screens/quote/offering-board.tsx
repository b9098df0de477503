/** The market's tab of subscriptions: the offerings of one group of phases at a time. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { OfferingList } from "./offering-list.tsx";
import { OFFERING_TABS } from "./offering-tabs.ts";
import type { OfferingTab } from "./offering-tabs.ts";
import styles from "./offering.module.css";

export function OfferingBoard() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<OfferingTab>("open");
  return (
    <OfferingList
      key={tab}
      group={tab}
      kind={null}
      before={
        <div className={styles.chips}>
          <ChipRow label={t("offering.phases")}>
            {OFFERING_TABS.map((one) => (
              <Chip key={one} pressed={one === tab} onPress={() => setTab(one)}>
                {t(`offering.tab.${one}`)}
              </Chip>
            ))}
          </ChipRow>
        </div>
      }
    />
  );
}
