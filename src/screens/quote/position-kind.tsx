/** The side and funding of a position as a chip, such as `Margin short`. */
import type { Position } from "#contract/position.ts";
import { usePositionKind } from "./position-words.ts";
import styles from "./position-kind.module.css";

export function PositionKind({ position }: { position: Pick<Position, "code" | "direction" | "funding" | "dayTrade"> }) {
  const kindOf = usePositionKind();
  return (
    <span className={styles.kind} data-trend={position.direction === "rise" ? "up" : "down"}>
      {kindOf(position)}
    </span>
  );
}
