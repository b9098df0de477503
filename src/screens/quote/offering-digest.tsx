/** Home's part about offerings: those open for applications, else those that open next; nothing while there are none. */
import { useTranslation } from "react-i18next";
import { useOfferings, usePhases } from "#src/streams/offerings.ts";
import { Link } from "#src/ui/link.tsx";
import { Section } from "#src/ui/row.tsx";
import { OfferingRow } from "./offering-row.tsx";
import styles from "./offering.module.css";

const SHOWN = 2;

export function OfferingDigest() {
  const { t } = useTranslation();
  const open = useOfferings("open", null);
  const upcoming = useOfferings("upcoming", null);
  const items = open.value?.items.length ? open.value.items : (upcoming.value?.items.toReversed() ?? []);
  usePhases(
    items.map(({ offering }) => offering),
    open.retry,
  );
  if (items.length === 0) return null;
  return (
    <Section
      title={t("offering.title")}
      action={
        <Link to="/home/newStock" className={styles.all ?? ""}>
          {t("offering.list")}
        </Link>
      }
    >
      <ul role="list" className={styles.list}>
        {items.slice(0, SHOWN).map((entry) => (
          <li key={entry.offering.offeringNo}>
            <OfferingRow item={entry} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
