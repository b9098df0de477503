/** The parts that the lists of the member's runs and copies share: the open and the stopped ones, their value, and stopping one. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { EndpointName } from "#contract/endpoints.ts";
import { formatGain, formatTwd } from "#contract/kernel/money.ts";
import type { RunValuation } from "#contract/strategy.ts";
import type { Request } from "#src/actors/request.ts";
import type { Path } from "#src/paths.ts";
import type { Read } from "#src/streams/resource.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import type { Field } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

const GROUPS = ["open", "stopped"] as const;

type Noun = "strategy" | "copy";

interface OpenAndStoppedProps<Item> {
  of: Noun;
  read: Pick<Read<unknown>, "state" | "failure" | "retry">;
  /** Null until they are read. */
  items: readonly Item[] | null;
  isOpen: (item: Item) => boolean;
  keyOf: (item: Item) => string;
  renderCard: (item: Item) => ReactNode;
  /** Where all that can be chosen are. */
  all: Path;
}

export function OpenAndStopped<Item>({ of, read, items, isOpen, keyOf, renderCard, all }: OpenAndStoppedProps<Item>) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("open");
  const { state, failure, retry } = read;
  const skeleton = useSkeleton(items === null && state === "loading");
  const shown = (items ?? []).filter((item) => isOpen(item) === (group === "open"));
  return (
    <div className={styles.inset}>
      <Segmented
        label={t(`${of}.part.mine`)}
        options={GROUPS.map((one) => ({ value: one, label: t(`${of}.group.${one}`) }))}
        value={group}
        onChoose={setGroup}
      />
      {items === null && skeleton && <Skeleton rows={5} />}
      {items === null && state === "failed" && <ErrorState what={t(`${of}.mineFailed`)} code={failure ?? ""} onRetry={retry} />}
      {items && shown.length === 0 && (
        <EmptyState title={t(`${of}.empty.${group}`)} why={t(`${of}.emptyWhy`)} action={{ label: t(`${of}.all`), to: all }} />
      )}
      {shown.length > 0 && (
        <ul role="list" aria-label={t(`${of}.group.${group}`)} className={styles.cards}>
          {shown.map((item) => (
            <li key={keyOf(item)}>{renderCard(item)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface Limits {
  amountCents: number;
  stopPercent: number;
}

/** The limits of a run or a copy, and its value where that is known. */
export function useValueFields(
  of: Noun,
  { amountCents, stopPercent }: Limits,
  valuation: Pick<RunValuation, "costCents" | "realisedCents" | "unrealisedCents"> | null,
): Field[] {
  const { t } = useTranslation();
  return [
    { label: t(`${of}.field.amount`), value: formatTwd(amountCents) },
    ...(valuation
      ? [
          { label: t(`${of}.field.invested`), value: formatTwd(valuation.costCents) },
          { label: t(`${of}.field.realised`), value: formatGain(valuation.realisedCents) },
          { label: t(`${of}.field.open`), value: formatGain(valuation.unrealisedCents) },
        ]
      : []),
    { label: t(`${of}.field.stopsAt`), value: `${formatTwd((0 - amountCents * stopPercent) / 100)} (${stopPercent}%)` },
  ];
}

/** A command of one tap, with its refusal above. */
export function CommandButton({ request, label, onPress }: { request: Request<EndpointName>; label: string; onPress: () => void }) {
  return (
    <>
      <RequestError request={request} />
      <Button busy={request.busy} onClick={onPress}>
        {label}
      </Button>
    </>
  );
}

export type WayToStop = "sell" | "keep";

interface StopQuestionProps {
  of: Noun;
  name: string;
  request: Request<EndpointName>;
  asking: WayToStop | null;
  onAsk: (way: WayToStop | null) => void;
  onStop: (way: WayToStop) => void;
}

/** Stopping, after one question: whether what was bought is sold or kept. */
export function StopQuestion({ of, name, request, asking, onAsk, onStop }: StopQuestionProps) {
  const { t } = useTranslation();
  const way = asking ?? "sell";
  return (
    <>
      <RequestError request={request} />
      <Button onClick={() => onAsk("sell")}>{t(`${of}.stop.sell`)}</Button>
      <Button onClick={() => onAsk("keep")}>{t(`${of}.stop.keep`)}</Button>
      <Alert
        open={asking !== null && request.state !== "refused" && request.state !== "failed"}
        title={t(`${of}.stop.title`, { name })}
        confirm={t(`${of}.stop.${way}`)}
        refuse={t(`${of}.stop.back`)}
        busy={request.busy}
        onConfirm={() => onStop(way)}
        onClose={() => onAsk(null)}
      >
        {t(`${of}.stop.${way}Sure`)}
      </Alert>
    </>
  );
}
