/** The account's links to the member's money: wallet, conversion, in and out, cards, loans, records. */
import {
  ArrowLeftRight,
  BadgePercent,
  BanknoteArrowDown,
  BanknoteArrowUp,
  Coins,
  CreditCard,
  HandCoins,
  Receipt,
  WalletCards,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { Row } from "#src/ui/row.tsx";
import { RewardLinks } from "./reward-links.tsx";

/** Rows of a list. */
export function MoneyLinks() {
  const { t } = useTranslation();
  return (
    <>
      <Row
        leading={<WalletCards size={22} aria-hidden />}
        title={t("information.wallet")}
        subtitle={t("information.walletHint")}
        to="/information/payBag"
      />
      <Row
        leading={<ArrowLeftRight size={22} aria-hidden />}
        title={t("information.conversion")}
        subtitle={t("information.conversionHint")}
        to={pathTo("/information/exChange", {})}
      />
      <Row
        leading={<BanknoteArrowDown size={22} aria-hidden />}
        title={t("information.deposit")}
        subtitle={t("information.depositHint")}
        to="/information/recharge"
      />
      <Row
        leading={<BanknoteArrowUp size={22} aria-hidden />}
        title={t("information.withdraw")}
        subtitle={t("information.withdrawHint")}
        to="/information/cashOut"
      />
      <Row
        leading={<CreditCard size={22} aria-hidden />}
        title={t("information.bankCards")}
        subtitle={t("information.bankCardsHint")}
        to="/information/bankList"
      />
      <Row
        leading={<Coins size={22} aria-hidden />}
        title={t("app.title.walletAddresses")}
        subtitle={t("information.walletAddressesHint")}
        to="/information/usdtAddress"
      />
      <Row
        leading={<HandCoins size={22} aria-hidden />}
        title={t("information.loan")}
        subtitle={t("information.loanHint")}
        to="/home/loan"
      />
      <Row
        leading={<BadgePercent size={22} aria-hidden />}
        title={t("information.credit")}
        subtitle={t("information.creditHint")}
        to="/information/credit"
      />
      <Row
        leading={<Receipt size={22} aria-hidden />}
        title={t("information.fundRecords")}
        subtitle={t("information.fundRecordsHint")}
        to="/information/fundRecord"
      />
      <RewardLinks />
    </>
  );
}
