/** The lower part of home: market breadth, positions, offerings, blocks, strategies and news. Loaded after the first lines are shown. */
import { BigDeal } from "./big-deal.tsx";
import { NewOfferings } from "./new-offerings.tsx";
import { HotNews } from "./hot-news.tsx";
import { Inventory } from "./inventory.tsx";
import { MarketInfo } from "./market-info.tsx";
import { Quantitative } from "./quantitative.tsx";
import styles from "./digest.module.css";

/** The six parts, each loading on its own. */
export function Digest() {
  return (
    <div className={styles.digest}>
      <MarketInfo />
      <Inventory />
      <NewOfferings />
      <BigDeal />
      <Quantitative />
      <HotNews />
    </div>
  );
}
