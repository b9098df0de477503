/** Everything that keeps a member from subscribing, said before the form, each with the way out. */
import { useTranslation } from "react-i18next";
import type { Missing } from "#contract/eligibility.ts";
import { pathTo, remedyPath } from "#src/paths.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card } from "#src/ui/row.tsx";
import styles from "./new-share.module.css";

export function MissingList({ title, missing }: { title: string; missing: readonly Missing[] }) {
  const { t } = useTranslation();
  return (
    <Card label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <ul className={styles.missing} role="list">
        {missing.map(({ code, params, remedy }) => {
          const to = remedy === "/information/shou" ? pathTo(remedy, { kind: "subscription" }) : remedyPath(remedy);
          return (
            <li key={code}>
              <p>{t(`refusal.${code}`, params)}</p>
              {to !== null && <ButtonLink to={to}>{t("offering.supply")}</ButtonLink>}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
