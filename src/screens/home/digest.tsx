/** What home tells below its first lines: how broad the market moves, what I hold, what happened. Loaded once the first lines stand. */
import { HotNews } from "./hot-news.tsx";
import { Inventory } from "./inventory.tsx";
import { MarketInfo } from "./market-info.tsx";
import styles from "./digest.module.css";

/** The three parts, each on its own. */
export function Digest() {
  return (
    <div className={styles.digest}>
      <MarketInfo />
      <Inventory />
      <HotNews />
    </div>
  );
}
