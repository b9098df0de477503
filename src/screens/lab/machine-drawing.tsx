/** Draws a state machine: a card per state with its transitions, and a line from each transition to its target. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Diagram, DiagramTransition } from "#machines/diagram.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { edgeOf, HEAD, INSET, laneOf, layOut, ROW, widthOf } from "./machine-layout.ts";
import type { Card, Drawing, Line } from "./machine-layout.ts";
import { EventName } from "./machine-words.tsx";
import styles from "./machines.module.css";

const rem = (length: number): string => `${length / 16}rem`;

/** The number of actors in each state. */
export type Counts = ReadonlyMap<string, number>;

/** The target's name without the part it shares with the state the transition starts from. */
function nearName(from: string, to: string): string {
  const parent = from.slice(0, from.lastIndexOf(".") + 1);
  const inside = `${from}.`;
  if (from !== "" && to.startsWith(inside)) return to.slice(inside.length);
  return parent !== "" && to.startsWith(parent) ? to.slice(parent.length) : to;
}

function Transition({ transition }: { transition: DiagramTransition }) {
  const { t } = useTranslation();
  const { from, to: target, guard } = transition;
  const label = target === null ? t("machines.stays") : target === from ? t("machines.again") : nearName(from, target);
  return (
    <li className={styles.way} style={{ blockSize: rem(ROW) }} data-kind={transition.kind}>
      <span className={styles.event}>
        <EventName transition={transition} />
        {guard !== null && <span className={styles.guard}> [{guard}]</span>}
      </span>
      <span className={styles.to} data-leads={target !== null && target !== from ? "" : undefined}>
        <span aria-hidden>{target === null || target === from ? "" : "→ "}</span>
        {label}
      </span>
    </li>
  );
}

function StateCard({ card, counts }: { card: Card; counts: Counts }) {
  const { t } = useTranslation();
  const { state, transitions, parts, height } = card;
  const count = state ? (counts.get(state.path) ?? 0) : 0;
  return (
    <li className={styles.card} style={{ minBlockSize: rem(height) }} data-live={count > 0 || undefined} data-kind={state?.kind ?? "any"}>
      <div className={styles.head} style={{ blockSize: rem(HEAD) }}>
        {state?.initial && (
          <span className={styles.mark}>
            <span aria-hidden>●</span>
            <Hidden>{t("machines.initial")}</Hidden>
          </span>
        )}
        <strong className={styles.name}>{state ? state.name : t("machines.everywhere")}</strong>
        {state?.kind === "final" && <span className={styles.tag}>{t("machines.final")}</span>}
        {state?.invokes.map((name) => (
          <span key={name} className={styles.tag}>
            {t("machines.invokes", { name })}
          </span>
        ))}
        {state?.tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
        {count > 0 && <span className={styles.here}>{t("machines.here", { n: count })}</span>}
      </div>
      {transitions.length > 0 && (
        <ul role="list">
          {transitions.map((transition, at) => (
            <Transition key={`${transition.type} ${at}`} transition={transition} />
          ))}
        </ul>
      )}
      {parts.length > 0 && (
        <ol className={styles.parts} style={{ padding: rem(INSET) }} role="list">
          {parts.map((part) => (
            <StateCard key={part.state?.path} card={part} counts={counts} />
          ))}
        </ol>
      )}
    </li>
  );
}

/** One line: along its lane into the head of its target, joined by every row that leads there. */
function LineTo({ drawing, line, live }: { drawing: Drawing; line: Line; live: boolean }) {
  const x = laneOf(drawing, line.lane);
  const head = edgeOf(drawing, line.head.depth);
  const rows = line.rows.map(({ y, depth }) => `M${edgeOf(drawing, depth)} ${y}H${x}`).join("");
  return (
    <g className={styles.line} data-live={live || undefined}>
      <path d={`M${x} ${line.top}V${line.bottom}${rows}M${x} ${line.head.y}H${head + 2}`} />
      <path className={styles.point} d={`M${head} ${line.head.y}l7 -4v8z`} />
    </g>
  );
}

/** The drawing. Its text carries all information; the lines are hidden from screen readers. */
export function MachineDrawing({ diagram, counts }: { diagram: Diagram; counts: Counts }) {
  const { t } = useTranslation();
  const drawing = useMemo(() => layOut(diagram), [diagram]);
  const { lines, insets } = widthOf(drawing);
  return (
    <div className={styles.drawing} style={{ paddingInlineEnd: rem(lines), minBlockSize: rem(drawing.height) }}>
      <ol className={styles.cards} role="list" aria-label={t("machines.drawingOf", { name: diagram.id })}>
        {drawing.cards.map((card) => (
          <StateCard key={card.state?.path ?? ""} card={card} counts={counts} />
        ))}
      </ol>
      <svg
        className={styles.lines}
        style={{ inlineSize: rem(lines + insets), blockSize: rem(drawing.height) }}
        viewBox={`0 0 ${lines + insets} ${drawing.height}`}
        aria-hidden
      >
        {drawing.lines.map((line) => (
          <LineTo
            key={line.to}
            drawing={drawing}
            line={line}
            live={line.rows.some(({ from }) => from !== "" && (counts.get(from) ?? 0) > 0)}
          />
        ))}
      </svg>
    </div>
  );
}
