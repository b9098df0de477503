/** The pairs of the member's options that are margined as one, each with the way to close both legs at once. */
import { useTranslation } from "react-i18next";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Options } from "#src/streams/options.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { useSeriesName } from "./option-words.tsx";
import styles from "./fund.module.css";

type Held = Options["held"][number];
export type HeldPair = readonly [Held, Held];

/** Both positions of a pair; null where one is not held any more. */
export function heldPair({ held }: Options, positionNo: string, otherNo: string): HeldPair | null {
  const find = (no: string): Held | undefined => held.find(({ position }) => position.positionNo === no);
  const [first, second] = [find(positionNo), find(otherNo)];
  return first && second ? [first, second] : null;
}

/** Where both legs of a pair are closed. */
export const pairPath = ({ positionNo, otherNo }: Options["pairs"][number]): Path =>
  pathTo("/home/options", { pair: `${positionNo}-${otherNo}` });

export function OptionPairs({ options }: { options: Options }) {
  const { t } = useTranslation();
  if (options.pairs.length === 0) return null;
  return (
    <section className={styles.stages} aria-label={t("options.pair.heading")}>
      <h2 className={styles.strong}>{t("options.pair.heading")}</h2>
      {options.pairs.map((pair) => (
        <PairCard key={`${pair.positionNo} ${pair.otherNo}`} options={options} pair={pair} />
      ))}
    </section>
  );
}

function PairCard({ options, pair }: { options: Options; pair: Options["pairs"][number] }) {
  const { t } = useTranslation();
  const nameOf = useSeriesName();
  const { positionNo, otherNo, lots, marginCents } = pair;
  const legs = heldPair(options, positionNo, otherNo);
  if (!legs) return null;
  const names = legs.map(({ position }) => nameOf(position.code, position.strike));
  return (
    <Card label={names.join(" / ")}>
      <FieldList
        fields={[
          ...legs.map(({ position }, nth) => ({
            label: names[nth] ?? "",
            value: `${t(position.lots > 0 ? "options.bought" : "options.sold")} ${t("futures.lotsOf", { count: lots, n: grouped(String(lots)) })}`,
          })),
          { label: t("options.pair.margin"), value: formatTwd(marginCents) },
        ]}
      />
      <ButtonLink to={pairPath(pair)} block>
        {t("options.pair.close")}
      </ButtonLink>
    </Card>
  );
}
