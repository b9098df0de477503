/** The rail beside a long list: dragging or keys jump through the sections and show the current one's name. */
import { useMemo, useState } from "react";
import type { PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { sectionAt, sectionByKey, sectionGroups } from "./section-index.ts";
import type { Section } from "./section-index.ts";
import styles from "./section-rail.module.css";

export interface SectionRailProps {
  marks: readonly Section[];
  /** The section at the top of the list, and whether the list is scrolled to its end: then later sections are visible as well. */
  top: number;
  atEnd: boolean;
  onJump: (to: number) => void;
}

/** A group with less than this share of the rail has no room for its name. */
const NAMED_SHARE = 0.15;

export function SectionRail({ marks, top, atEnd, onJump }: SectionRailProps) {
  const { t } = useTranslation();
  const groups = useMemo(() => sectionGroups(marks), [marks]);
  /** The section under the pointer; null while the rail is not held. */
  const [held, setHeld] = useState<number | null>(null);
  /** The last jump target: near the end of the list it cannot scroll to the top. */
  const [target, setTarget] = useState(0);
  const now = atEnd ? Math.max(top, target) : top;
  const shown = held ?? now;
  const mark = marks[shown];
  const nameOf = ({ group, label }: Section): string => t("ranking.mark", { group, label });
  const jump = (to: number): void => {
    setTarget(to);
    onJump(to);
  };
  const follow = (event: PointerEvent<HTMLElement>): void => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const to = sectionAt(event.clientY - top, height, marks.length);
    if (to === held) return;
    setHeld(to);
    jump(to);
  };
  return (
    <div
      className={styles.rail}
      role="slider"
      tabIndex={0}
      aria-label={t("ranking.jump")}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={marks.length}
      aria-valuenow={shown + 1}
      aria-valuetext={mark && nameOf(mark)}
      onKeyDown={(event) => {
        const to = sectionByKey(event.key, now, marks);
        if (to === null) return;
        event.preventDefault();
        jump(to);
      }}
      onPointerDown={(event) => {
        if (!event.isPrimary || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => held !== null && follow(event)}
      onPointerUp={() => setHeld(null)}
      onPointerCancel={() => setHeld(null)}
    >
      {groups.map(({ group, from, count }) => (
        <span key={from} className={styles.group} style={{ flexGrow: count }} aria-hidden>
          {count >= marks.length * NAMED_SHARE && <span className={styles.name}>{group}</span>}
        </span>
      ))}
      <span className={styles.now} style={{ insetBlockStart: `${((shown + 0.5) / Math.max(1, marks.length)) * 100}%` }} aria-hidden>
        {held !== null && mark && <span className={styles.bubble}>{nameOf(mark)}</span>}
      </span>
    </div>
  );
}
