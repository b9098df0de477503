/** Everything that can be done with an order, each in its sheet or alert; a menu of them for a row. */
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { List, Row } from "#src/ui/row.tsx";
import { CancelAlert } from "./cancel-alert.tsx";
import { CloseSheet } from "./close-sheet.tsx";
import { orderPath, useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";

export type OrderAction = "close" | "reverse" | "exits" | "addMargin" | "amend" | "cancel";

/** What is being done to which order. */
export interface RunningAction {
  action: OrderAction | "menu";
  order: Order;
}

/** What an order's status lets be done with it, the likeliest first. */
export function orderActions({ status, funding }: Pick<Order, "status" | "funding">): OrderAction[] {
  if (status === "pending") return ["amend", "exits", "cancel"];
  if (status === "readyToClose") return ["amend", "exits", "cancel"];
  if (status !== "holding") return [];
  return funding === "leverage" ? ["close", "exits", "reverse", "addMargin"] : ["close", "exits", "reverse"];
}

/** The word of a action; of a closing order it is the closing that is amended or stopped. */
export function useActionWord(): (action: OrderAction, order: Pick<Order, "status">) => string {
  const { t } = useTranslation();
  return (action, { status }) => {
    if (action === "cancel") return t(status === "pending" ? "trade.cancelThis" : "trade.cancelClose");
    return t(`trade.${action}`);
  };
}

const AmendSheet = lazy(() => import("./amend-sheet.tsx").then((module) => ({ default: module.AmendSheet })));
const ReverseSheet = lazy(() => import("./reverse-sheet.tsx").then((module) => ({ default: module.ReverseSheet })));
const ExitsSheet = lazy(() => import("./exits-sheet.tsx").then((module) => ({ default: module.ExitsSheet })));
const AddMarginSheet = lazy(() => import("./add-margin-sheet.tsx").then((module) => ({ default: module.AddMarginSheet })));
const RARE = { amend: AmendSheet, reverse: ReverseSheet, exits: ExitsSheet, addMargin: AddMarginSheet };

/** The sheets; `running` says which is open. */
export function OrderActions({ running, onDo }: { running: RunningAction | null; onDo: (running: RunningAction | null) => void }) {
  const done = (): void => onDo(null);
  // What was opened once stays, so that it can leave as it came.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (running && !opened.has(running.action)) setOpened(new Set([...opened, running.action]));
  const orderFor = (action: RunningAction["action"]): Order | null => (running?.action === action ? running.order : null);
  return (
    <>
      <CloseSheet order={orderFor("close")} onClose={done} />
      <CancelAlert order={orderFor("cancel")} onClose={done} />
      <OrderMenu order={orderFor("menu")} onClose={done} onDo={onDo} />
      <Suspense fallback={null}>
        {(Object.keys(RARE) as (keyof typeof RARE)[]).map((action) => {
          const RareSheet = RARE[action];
          return opened.has(action) && <RareSheet key={action} order={orderFor(action)} onClose={done} />;
        })}
      </Suspense>
    </>
  );
}

/** All actions of one row below each other, and the way to its page. */
function OrderMenu({ order, onClose, onDo }: { order: Order | null; onClose: () => void; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const word = useActionWord();
  const nameOf = useOrderName();
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now) => (
        <List label={nameOf(now)}>
          {orderActions(now).map((action) => (
            <Row key={action} compact title={word(action, now)} onPress={() => onDo({ action, order: now })} />
          ))}
          <Row compact title={t("trade.details")} to={orderPath(now)} />
        </List>
      )}
    </OrderSheet>
  );
}
