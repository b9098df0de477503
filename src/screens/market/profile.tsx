/** The profile of an instrument: listing, size, 52-week range, and its fictitious fundamentals. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { formatPercent, formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { Fundamentals, Profile as ProfileData } from "#contract/profile.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useProfile } from "#src/streams/profiles.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { useCalmQuote } from "#src/screens/quote/calm-quote.ts";
import { ownPath } from "#src/screens/quote/detail-link.ts";
import { categoryName, shortName } from "#src/screens/quote/names.ts";
import { FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { categoryPath } from "./category-link.ts";
import { ExEvents } from "./ex-events.tsx";
import { marketValue, perShare, placeInYear, ratiosAt } from "./fundamentals.ts";
import { Offered } from "./offered.tsx";
import { Related } from "./related.tsx";
import styles from "./profile.module.css";

/** Price-dependent values update once a second. */
export function Profile({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useProfile(instrument.code);
  const skeleton = useSkeleton(value === null && state === "loading");
  const last = useCalmQuote(instrument.code)?.quote.last ?? 0;
  if (value === null) {
    if (state === "failed") return <ErrorState what={t("market.profile.failed")} code={failure ?? ""} onRetry={retry} />;
    return (
      <div className={styles.part}>
        {skeleton && (
          <>
            <Skeleton shape="text" rows={8} />
            <Skeleton rows={4} />
          </>
        )}
      </div>
    );
  }
  return (
    <>
      <Facts instrument={instrument} profile={value} last={last} />
      <Offered instrument={instrument} />
      {value.fundamentals && <Figures fundamentals={value.fundamentals} last={last} />}
      <ExEvents instrument={instrument} />
      <Related codes={value.related} />
    </>
  );
}

function Facts({ instrument, profile, last }: { instrument: Instrument; profile: ProfileData; last: number }) {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const short = useShortNumber();
  const { board, category: code, lotShares, decimals } = instrument;
  const { issuedThousands } = profile;
  const category = table?.categories.find((one) => one.board === board && one.code === code);
  const index = profile.index === null ? undefined : table?.byCode.get(profile.index);
  const value = marketValue(profile, last);
  const fields: Field[] = [{ label: t("market.profile.board"), value: t(`market.board.${board}`) }];
  if (category && category.code !== board) {
    const link = <Link to={categoryPath(category)}>{categoryName(category, i18n.language)}</Link>;
    fields.push({ label: t("market.profile.category"), value: link });
  }
  if (index) {
    const link = <Link to={ownPath(index)}>{shortName(index, i18n.language)}</Link>;
    fields.push({ label: t("market.profile.index"), value: link });
  }
  if (issuedThousands > 0) {
    fields.push(
      { label: t("market.profile.value"), value: value === null ? "--" : short(value) },
      { label: t("market.profile.issued"), value: short(issuedThousands * 1000) },
      { label: t("market.profile.lot"), value: t("ticket.shares", { n: grouped(String(lotShares)) }) },
      {
        label: t("market.profile.listed"),
        value: profile.listedAt === null ? t("market.profile.listedBefore") : formatDate(profile.listedAt),
      },
    );
  }
  return (
    <section className={styles.part} aria-labelledby="facts">
      <h2 id="facts">{t("market.profile.title")}</h2>
      <FieldList fields={fields} />
      <YearRange profile={profile} last={last} decimals={decimals} />
    </section>
  );
}

/** The year's lowest and highest price, and the current price between them. */
function YearRange({ profile: { yearLow, yearHigh }, last, decimals }: { profile: ProfileData; last: number; decimals: number }) {
  const { t } = useTranslation();
  if (yearLow === null || yearHigh === null) return null;
  // Today's price may be outside the range known this morning.
  const low = last > 0 ? Math.min(yearLow, last) : yearLow;
  const high = Math.max(yearHigh, last);
  const place = placeInYear(last, low, high);
  return (
    <div className={styles.year}>
      <p>{t("market.profile.year")}</p>
      <div className={styles.range} aria-hidden>
        {place !== null && <span style={{ insetInlineStart: `${(place * 100).toFixed(1)}%` }} />}
      </div>
      <p className={styles.ends}>
        <span>{t("market.profile.yearLow", { price: formatPrice(low, decimals) })}</span>
        <span>{t("market.profile.yearHigh", { price: formatPrice(high, decimals) })}</span>
      </p>
    </div>
  );
}

/** The fundamentals are invented, and labelled so above the figures. */
function Figures({ fundamentals, last }: { fundamentals: Fundamentals; last: number }) {
  const { t } = useTranslation();
  const short = useShortNumber();
  const { priceEarnings, priceBook, dividendYield } = ratiosAt(fundamentals, last);
  const { earnings, book, dividend, revenueMillions, revenueChange } = fundamentals;
  const fields: Field[] = [
    { label: t("market.figure.priceEarnings"), value: priceEarnings },
    { label: t("market.figure.priceBook"), value: priceBook },
    { label: t("market.figure.yield"), value: dividendYield },
    { label: t("market.figure.earnings"), value: perShare(earnings) },
    { label: t("market.figure.book"), value: perShare(book) },
    { label: t("market.figure.dividend"), value: perShare(dividend) },
    { label: t("market.figure.revenue"), value: short(revenueMillions * 1_000_000) },
    { label: t("market.figure.revenueChange"), value: formatPercent(revenueChange) },
  ];
  return (
    <section className={styles.part} aria-labelledby="figures">
      <h2 id="figures">
        {t("market.figure.title")} <span className={styles.chip}>{t("market.figure.fictitious")}</span>
      </h2>
      <p className={styles.note}>{t("market.figure.note")}</p>
      <FieldList fields={fields} />
    </section>
  );
}
