/** The account's links to check-in, agent and seat. */
import { Armchair, CalendarCheck, UsersRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Row } from "#src/ui/row.tsx";

/** Rows of a list. */
export function RewardLinks() {
  const { t } = useTranslation();
  return (
    <>
      <Row
        leading={<CalendarCheck size={22} aria-hidden />}
        title={t("app.title.checkIn")}
        subtitle={t("information.checkInHint")}
        to="/home/checkIn"
      />
      <Row
        leading={<UsersRound size={22} aria-hidden />}
        title={t("app.title.agent")}
        subtitle={t("information.agentHint")}
        to="/information/agent"
      />
      <Row
        leading={<Armchair size={22} aria-hidden />}
        title={t("app.title.seat")}
        subtitle={t("information.seatHint")}
        to="/information/seat"
      />
    </>
  );
}
