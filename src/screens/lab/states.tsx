/** UI kit demo: the states of a data view. */
import { useTranslation } from "react-i18next";
import { BlockedNotice, EmptyState, ErrorState, RiskNotice, Skeleton, StaleStrip } from "#src/ui/state.tsx";
import { Part } from "./part.tsx";

export function States() {
  const { t } = useTranslation();
  const nothing = (): void => undefined;
  return (
    <>
      <Part name="Skeleton" full>
        <Skeleton rows={3} />
      </Part>
      <Part name="Skeleton hero · text · block">
        <Skeleton shape="hero" />
        <Skeleton shape="text" rows={3} />
        <Skeleton shape="block" />
      </Part>
      <Part name="EmptyState" full>
        <EmptyState why={t("information.flow.emptyWhy")} action={{ label: t("ui.search"), to: "/lab/ui" }} />
      </Part>
      <Part name="ErrorState" full>
        <ErrorState what={t("information.flow.failed")} code="timeout" onRetry={nothing} />
        <ErrorState what={t("information.flow.failed")} onRetry={nothing} busy />
      </Part>
      <Part name="StaleStrip" full>
        <StaleStrip since="13:24:07" />
        <StaleStrip since={null} />
        <StaleStrip since="13:24:07" back />
      </Part>
      <Part name="BlockedNotice · RiskNotice">
        <BlockedNotice
          title={t("refusal.ACC_REALNAME_REQUIRED")}
          why={t("information.aboutRiskText")}
          action={{ label: t("ui.retry"), onPress: nothing }}
        />
        <RiskNotice />
      </Part>
    </>
  );
}
