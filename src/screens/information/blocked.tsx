/** Everything that keeps a member from an act, said before the form, each with the way out. */
import { useTranslation } from "react-i18next";
import type { Missing, Remedy } from "#contract/eligibility.ts";
import type { Path } from "#src/paths.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card } from "#src/ui/row.tsx";
import styles from "./funding.module.css";

/** The label of the way out. */
const WAY_OUT = {
  "/information/authInfo": "funding.way.identity",
  "/information/fundPass": "funding.way.fundPassword",
  "/information/addBankCard": "funding.way.card",
  "/information/shou": "funding.way.agreement",
  "/information/payBag": "funding.way.wallet",
  "/trade/index": "funding.way.trade",
  "/information/settlements": "funding.way.settlement",
  "/information/credit": "funding.way.credit",
  "/home/loanRe": "funding.way.repay",
  "/information/kef": "funding.way.service",
} as const satisfies Record<Remedy, string>;

/** `missing` is what the contract found; nothing is shown where nothing is missing. */
export function Blocked({ missing, title }: { missing: readonly Missing[]; title: string }) {
  const { t } = useTranslation();
  if (missing.length === 0) return null;
  return (
    <Card label={title}>
      <h2 className={styles.blockedTitle}>{title}</h2>
      <ul className={styles.blocks} role="list">
        {missing.map(({ code, params, remedy }) => (
          <li key={code}>
            <p>{t(`refusal.${code}`, params)}</p>
            {/* Every remedy is a route of its own. */}
            {remedy && <ButtonLink to={remedy as string as Path}>{t(WAY_OUT[remedy])}</ButtonLink>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
