/** The market by board: listed, OTC, cryptocurrency, foreign exchange; each a live ranking; and what can be subscribed or bid for. */
import { ChartNoAxesCombined, LayoutDashboard } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import { MAX_WATCHED } from "#contract/quote.ts";
import type { Ranking } from "#contract/quote.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { useInstruments, useListedBoards } from "#src/streams/instruments.ts";
import { useNamed, useRanked } from "#src/screens/quote/lists.ts";
import { RANKED_ROWS } from "#src/screens/quote/ranked-row.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { List, Row } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import styles from "./market.module.css";

/** The boards with a tab. */
const BOARDS = ["listed", "otc", "crypto", "forex"] as const;
type MarketBoard = (typeof BOARDS)[number];

const RANKINGS = ["gainers", "losers", "turnover", "volume", "amplitude"] as const satisfies readonly Ranking[];
type MarketRanking = (typeof RANKINGS)[number];

/** Offerings and auctions with their texts load when their tab is first shown. */
const OfferingBoard = lazy(async () => {
  const [{ OfferingBoard }] = await Promise.all([import("#src/screens/quote/offering-parts.ts"), loadTranslations("offering")]);
  return { default: OfferingBoard };
});

const AuctionBoard = lazy(async () => {
  const [{ AuctionBoard }] = await Promise.all([import("#src/screens/quote/auction-board.tsx"), loadTranslations("auction")]);
  return { default: AuctionBoard };
});

/** What is sold before it is listed. */
const SALES = { subscription: OfferingBoard, auction: AuctionBoard } as const;

/** The tabs in their order: a board, or a way in which something is sold. */
const TABS = ["listed", "otc", "subscription", "auction", "crypto", "forex"] as const;
type MarketTab = (typeof TABS)[number];
const isSale = (tab: MarketTab): tab is keyof typeof SALES => tab in SALES;

/** `/market/index`; `?board=` is the initial tab. */
export function Market() {
  const { t } = useTranslation();
  const [query] = useQuery<"/market/index">();
  const boardParam = TABS.find((one) => one === query.get("board"));
  const [tab, setTab] = useState<MarketTab>(boardParam ?? "listed");
  const [ranking, setRanking] = useState<MarketRanking>("gainers");
  const boards = useListedBoards(BOARDS);
  const tabs = TABS.filter((one) => isSale(one) || boards.includes(one));
  return (
    <Screen
      header={<BackHeader title={t("market.title")} fallback="/favorite/index" action={<MarketLinks />} />}
      top={
        <>
          <StaleNotice />
          <Tabs
            label={t("market.boards")}
            tabs={tabs.map((value) => ({ value, label: t(`market.tab.${value}`) }))}
            value={tab}
            onChoose={setTab}
          />
          {!isSale(tab) && (
            <div className={styles.rankings}>
              <ChipRow label={t("ranking.rankings")}>
                {RANKINGS.map((one) => (
                  <Chip key={one} pressed={one === ranking} onPress={() => setRanking(one)}>
                    {t(`ranking.by.${one}`)}
                  </Chip>
                ))}
              </ChipRow>
            </div>
          )}
        </>
      }
      scroll="own"
    >
      {isSale(tab) ? (
        <Suspense fallback={<Skeleton rows={9} />}>
          <Sale of={tab} />
        </Suspense>
      ) : (
        // Remounted for another board or ranking, so that it starts at the top.
        <Ranked key={`${tab} ${ranking}`} board={tab} ranking={ranking} />
      )}
    </Screen>
  );
}

function Sale({ of }: { of: keyof typeof SALES }) {
  const Board = SALES[of];
  return <Board />;
}

function Ranked({ board, ranking }: { board: MarketBoard; ranking: MarketRanking }) {
  const { t } = useTranslation();
  const instruments = useNamed(useRanked({ by: ranking, board, category: null, size: MAX_WATCHED }));
  const skeleton = useSkeleton(instruments === null);
  const sections = useMemo(() => [{ id: "ranked", items: instruments ?? [] }], [instruments]);
  if (instruments === null) return skeleton && <Skeleton rows={9} />;
  return (
    <QuoteList
      label={t(`ranking.by.${ranking}`)}
      sections={sections}
      Row={RANKED_ROWS[ranking]}
      after={
        instruments.length === 0 ? <EmptyState title={t("ranking.empty")} /> : <WholeBoard board={board} ranked={instruments.length} />
      }
    />
  );
}

/** To the indices and the heat map. */
function MarketLinks() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <IconButton
        label={t("market.large.title")}
        icon={<ChartNoAxesCombined size={22} aria-hidden />}
        onClick={() => void navigate("/market/largeMarket")}
      />
      <IconButton
        label={t("market.heat.title")}
        icon={<LayoutDashboard size={22} aria-hidden />}
        onClick={() => void navigate("/market/Plate")}
      />
    </>
  );
}

/** To the list of all instruments, when the ranking shows only the first of a board. */
function WholeBoard({ board, ranked }: { board: MarketBoard; ranked: number }) {
  const { t } = useTranslation();
  const all = useInstruments()?.list.filter((one) => one.board === board).length ?? 0;
  if (ranked >= all) return null;
  return (
    <List>
      <Row title={t("home.stockList")} subtitle={t("market.firstOf", { n: ranked, all })} to="/home/stockList" />
    </List>
  );
}
