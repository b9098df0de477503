/** The actions on an order, each in its sheet or alert, and the menu of a row. */
import { Suspense, lazy, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import type { Order } from "#contract/order.ts";
import { List, Row } from "#src/ui/row.tsx";
import { CancelAlert } from "./cancel-alert.tsx";
import { positionsOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import type { CloseTarget } from "./close-sheet.tsx";
import { orderPath, useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { PositionSheet } from "./position-sheet.tsx";

export type OrderAction = "close" | "reverse" | "exits" | "addMargin" | "amend" | "cancel";

/** The action in progress on one order. */
export interface OrderRunning {
  action: OrderAction | "menu";
  order: Order;
}

/** The action in progress, on an order or on a whole position. */
export type RunningAction = OrderRunning | { action: "positionExits" | "positionReverse" | "positionMenu"; position: Position };

/** The actions an order's status allows, most likely first. */
export function orderActions({ status, funding }: Pick<Order, "status" | "funding">): OrderAction[] {
  if (status === "pending") return ["amend", "exits", "cancel"];
  if (status === "readyToClose") return ["amend", "exits", "cancel"];
  if (status !== "holding") return [];
  return funding === "leverage" ? ["close", "exits", "reverse", "addMargin"] : ["close", "exits", "reverse"];
}

/** The label of an action; for a closing order, the closing is amended or cancelled. */
export function useActionWord(): (action: OrderAction, order: Pick<Order, "status" | "direction">) => string {
  const { t } = useTranslation();
  return (action, { status, direction }) => {
    if (action === "cancel") return status === "pending" ? t("trade.cancelThis") : t(`trade.cancelClose.${direction}`);
    if (action === "close") return t(`trade.closeSide.${direction}`);
    return t(`trade.${action}`);
  };
}

/** An order as the part of its position to close. */
export function closeTargetOf(order: Order | null): CloseTarget | null {
  const [position] = order ? positionsOf([order]) : [];
  return order && position ? { position, orderNos: [order.orderNo] } : null;
}

const CloseSheet = lazy(() => import("./close-sheet.tsx").then((module) => ({ default: module.CloseSheet })));
const AmendSheet = lazy(() => import("./amend-sheet.tsx").then((module) => ({ default: module.AmendSheet })));
const ReverseSheet = lazy(() => import("./reverse-sheet.tsx").then((module) => ({ default: module.ReverseSheet })));
const ExitsSheet = lazy(() => import("./exits-sheet.tsx").then((module) => ({ default: module.ExitsSheet })));
const AddMarginSheet = lazy(() => import("./add-margin-sheet.tsx").then((module) => ({ default: module.AddMarginSheet })));
const PositionReverseSheet = lazy(() => import("./reverse-sheet.tsx").then((module) => ({ default: module.PositionReverseSheet })));
const PositionExitsSheet = lazy(() => import("./exits-sheet.tsx").then((module) => ({ default: module.PositionExitsSheet })));
const POSITION_SHEETS = { positionReverse: PositionReverseSheet, positionExits: PositionExitsSheet };
const LAZY_SHEETS = { amend: AmendSheet, reverse: ReverseSheet, exits: ExitsSheet, addMargin: AddMarginSheet };

/** The sheets; `running` tells which is open. */
export function OrderActions({ running, onDo }: { running: RunningAction | null; onDo: (running: RunningAction | null) => void }) {
  const done = (): void => onDo(null);
  // Sheets stay mounted once opened, so that they can animate out.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (running && !opened.has(running.action)) setOpened(new Set([...opened, running.action]));
  const orderFor = (action: OrderRunning["action"]): Order | null =>
    running && "order" in running && running.action === action ? running.order : null;
  const positionFor = (action: keyof typeof POSITION_SHEETS | "positionMenu"): Position | null =>
    running && "position" in running && running.action === action ? running.position : null;
  return (
    <>
      <CancelAlert order={orderFor("cancel")} onClose={done} />
      <OrderMenu order={orderFor("menu")} onClose={done} onDo={onDo} />
      <PositionMenu position={positionFor("positionMenu")} onClose={done} onDo={onDo} />
      <Suspense fallback={null}>
        {opened.has("close") && <OrderCloseSheet order={orderFor("close")} onClose={done} />}
        {(Object.keys(LAZY_SHEETS) as (keyof typeof LAZY_SHEETS)[]).map((action) => {
          const LazySheet = LAZY_SHEETS[action];
          return opened.has(action) && <LazySheet key={action} order={orderFor(action)} onClose={done} />;
        })}
        {(Object.keys(POSITION_SHEETS) as (keyof typeof POSITION_SHEETS)[]).map((action) => {
          const LazySheet = POSITION_SHEETS[action];
          return opened.has(action) && <LazySheet key={action} position={positionFor(action)} onClose={done} />;
        })}
      </Suspense>
    </>
  );
}

/** The sheet to close one order of a position. */
function OrderCloseSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  const target = useMemo(() => closeTargetOf(order), [order]);
  return <CloseSheet target={target} onClose={onClose} />;
}

/** A position is reversed as a whole: not while a part of it is being closed. */
export const isReversible = ({ closableShares, shares }: Pick<Position, "closableShares" | "shares">): boolean => closableShares === shares;

/** The menu of what can be done with a whole position besides closing it, with a link to its orders. */
function PositionMenu({
  position,
  onClose,
  onDo,
}: {
  position: Position | null;
  onClose: () => void;
  onDo: (running: RunningAction) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  return (
    <PositionSheet position={position} onClose={onClose}>
      {(now) => (
        <List label={nameOf(now)}>
          <Row compact title={t("trade.exits")} onPress={() => onDo({ action: "positionExits", position: now })} />
          {isReversible(now) && (
            <Row compact title={t("trade.reverse")} onPress={() => onDo({ action: "positionReverse", position: now })} />
          )}
          <Row compact title={t("trade.ordersOf", { code: now.code })} to={pathTo("/trade/index", { position: now.id })} />
        </List>
      )}
    </PositionSheet>
  );
}

/** The menu of all actions of a row, with a link to its page. */
function OrderMenu({ order, onClose, onDo }: { order: Order | null; onClose: () => void; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const labelOf = useActionWord();
  const nameOf = useOrderName();
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now) => (
        <List label={nameOf(now)}>
          {orderActions(now).map((action) => (
            <Row key={action} compact title={labelOf(action, now)} onPress={() => onDo({ action, order: now })} />
          ))}
          <Row compact title={t("trade.details")} to={orderPath(now)} />
        </List>
      )}
    </OrderSheet>
  );
}
