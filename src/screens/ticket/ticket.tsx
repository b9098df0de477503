/** The order ticket: docked next to the chart on wide screens, in a sheet on phones. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReactNode } from "react";
import type { Missing } from "#contract/eligibility.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { RequestState } from "#src/actors/request.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstruments, useVenue } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { BlockedNotice, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TicketForm } from "./form.tsx";
import { OutcomeUnknown, TicketResult } from "./outcome.tsx";
import { TicketReview } from "./review.tsx";
import { CloseResult } from "./close-result.tsx";
import type { Side, TradeKind } from "./intent.ts";
import { useTicket } from "./use-ticket.ts";
import type { Pick, TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

export interface TicketProps {
  code: string;
  /** The initial side; and its kind, unless the default is meant. */
  side?: Side | undefined;
  kind?: TradeKind | undefined;
  /** A price picked from the order book; a greater `n` is a new pick. */
  pick?: Pick | null | undefined;
  /** Called when the member closes the ticket. */
  onClose?: (() => void) | undefined;
  /** Called with true while an order is being sent: the container must stay open. */
  onLock?: ((locked: boolean) => void) | undefined;
}

/** The ticket without a frame: dock it, or use `TicketSheet`. */
export function Ticket(props: TicketProps) {
  return <TicketForCode key={props.code} {...props} />;
}

/** The states in which another step is shown instead of the form. */
const STEPS: readonly RequestState[] = ["reviewing", "submitting", "unknown", "asking", "notReceived", "accepted"];

/** The step shown instead of the form; null for the form. */
function stepOf(model: TicketModel, onClose: (() => void) | undefined): ReactNode {
  const { placed, closed, request } = model;
  const done = (): void => {
    model.again();
    onClose?.();
  };
  const { state } = request;
  if (placed) return <TicketResult placed={placed} decimals={model.ladder.decimals} onDone={done} />;
  if (closed) return <CloseResult closed={closed} sent={model.sent} decimals={model.ladder.decimals} onDone={done} />;
  if (state === "unknown" || state === "asking" || state === "notReceived") return <OutcomeUnknown request={request} />;
  return state === "reviewing" || (state === "submitting" && !model.skips) ? <TicketReview model={model} /> : null;
}

/** A key opens the review or leaves it; it never confirms. */
function usePickedStep(model: TicketModel, pick: Pick | null | undefined): void {
  const latest = useRef(model);
  useEffect(() => {
    latest.current = model;
  });
  const done = useRef(0);
  useEffect(() => {
    if (!pick || pick.n === done.current) return;
    done.current = pick.n;
    const { request, intent, changed, tradable, review } = latest.current;
    if (pick.step === "back" && request.state === "reviewing") request.edit();
    else if (pick.step === "review" && tradable && intent.nothing === null && changed === null && !STEPS.includes(request.state))
      review(true);
  }, [pick]);
}

function TicketForCode({ code, side, kind, pick, onClose, onLock }: TicketProps) {
  const model = useTicket({ code, side, kind, pick });
  const { state } = model.request;
  // The form that replaces another step takes the focus to its heading.
  const [before, setBefore] = useState(state);
  const [returned, setReturned] = useState(false);
  if (before !== state) {
    setBefore(state);
    setReturned(STEPS.includes(before));
  }
  const locked = model.request.state === "submitting";
  useEffect(() => {
    onLock?.(locked);
  }, [locked, onLock]);
  usePickedStep(model, pick);
  const skeleton = useSkeleton(model.loading);
  if (model.failed) return <Failed model={model} />;
  if (model.loading || skeleton) return <div className={styles.waiting}>{skeleton && <Skeleton shape="text" rows={9} />}</div>;
  const step = stepOf(model, onClose);
  return step ?? (model.blocked ? <Blocked {...model.blocked} /> : <TicketForm model={model} returned={returned} />);
}

function Failed({ model }: { model: TicketModel }) {
  const { t } = useTranslation();
  return <ErrorState what={t("ticket.accountFailed")} onRetry={model.retry} />;
}

/** Why no order is possible, and the next step. */
function Blocked({ code, params }: Missing) {
  const { t } = useTranslation();
  const venue = useVenue();
  const why =
    code === "TRD_NON_TRADING_HOURS" && venue?.phaseEndsAt
      ? t("ticket.opensAfter", { time: formatDateTime(venue.phaseEndsAt) })
      : t(
          code === "TRD_NOT_TRADABLE"
            ? "ticket.notTradableWhy"
            : code === "TRD_NON_TRADING_HOURS"
              ? "ticket.closedWhy"
              : code === "TRD_NOT_LISTED"
                ? "ticket.notListedWhy"
                : code.startsWith("ACC_REALNAME")
                  ? "ticket.identityWhy"
                  : "ticket.restrictedWhy",
        );
  return <BlockedNotice title={t(`refusal.${code}`, params)} why={why} />;
}

/** The ticket in a sheet; it cannot be closed while an order is being sent. */
export function TicketSheet({ open, onClose, ...ticket }: TicketProps & { open: boolean; onClose: () => void }) {
  const [locked, setLocked] = useState(false);
  return (
    <Sheet open={open} onClose={onClose} locked={locked} title={<TicketTitle code={ticket.code} />}>
      <Ticket {...ticket} onClose={onClose} onLock={setLocked} />
    </Sheet>
  );
}

/** The title of a ticket: code, name, live price and change. A long name is cut off, never the price. */
export function TicketTitle({ code }: { code: string }) {
  const { i18n } = useTranslation();
  const instrument = useInstruments()?.byCode.get(code);
  return (
    <span className={styles.title}>
      <span className={styles.named}>{instrument ? `${code} ${shortName(instrument, i18n.language)}` : code}</span>{" "}
      <QuoteCell code={code} field="last" /> <QuoteCell code={code} field="percent" className={styles.small} />
    </span>
  );
}
