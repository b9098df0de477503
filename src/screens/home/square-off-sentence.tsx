/** When open day trades are squared off, as a sentence of the page of day trading, whose texts the ticket does not load. */
import { useTranslation } from "react-i18next";
import { useSquareOff } from "#src/screens/ticket/square-off.tsx";

/** `What is still open at 13:20, in 42 min, is squared off at the market.` Also says when no time is known yet. */
export function SquareOffSentence() {
  const { t } = useTranslation();
  const squareOff = useSquareOff();
  if (squareOff === null) return <>{t("dayTrading.noSquareOff")}</>;
  return <>{squareOff.left === "" ? t("dayTrading.squareOffAt", { time: squareOff.time }) : t("dayTrading.squareOffIn", squareOff)}</>;
}
