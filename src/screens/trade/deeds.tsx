/** Everything that can be done with an order, each in its sheet or alert; a menu of them for a row. */
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { List, Row } from "#src/ui/row.tsx";
import { CancelAlert } from "./cancel-alert.tsx";
import { CloseSheet } from "./close-sheet.tsx";
import { orderPath, useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";

export type Deed = "close" | "reverse" | "exits" | "addMargin" | "amend" | "cancel";

/** What is being done to which order. */
export interface Doing {
  deed: Deed | "menu";
  order: Order;
}

/** What an order's status lets be done with it, the likeliest first. */
export function deedsOf({ status, funding }: Pick<Order, "status" | "funding">): Deed[] {
  if (status === "pending") return ["amend", "exits", "cancel"];
  if (status === "readyToClose") return ["amend", "exits", "cancel"];
  if (status !== "holding") return [];
  return funding === "leverage" ? ["close", "exits", "reverse", "addMargin"] : ["close", "exits", "reverse"];
}

/** The word of a deed; of a closing order it is the closing that is amended or stopped. */
export function useDeedWord(): (deed: Deed, order: Pick<Order, "status">) => string {
  const { t } = useTranslation();
  return (deed, { status }) => {
    if (deed === "cancel") return t(status === "pending" ? "trade.cancelThis" : "trade.cancelClose");
    return t(`trade.${deed}`);
  };
}

const AmendSheet = lazy(() => import("./amend-sheet.tsx").then((module) => ({ default: module.AmendSheet })));
const ReverseSheet = lazy(() => import("./reverse-sheet.tsx").then((module) => ({ default: module.ReverseSheet })));
const ExitsSheet = lazy(() => import("./exits-sheet.tsx").then((module) => ({ default: module.ExitsSheet })));
const AddMarginSheet = lazy(() => import("./add-margin-sheet.tsx").then((module) => ({ default: module.AddMarginSheet })));
const RARE = { amend: AmendSheet, reverse: ReverseSheet, exits: ExitsSheet, addMargin: AddMarginSheet };

/** The sheets; `doing` says which is open. */
export function Deeds({ doing, onDo }: { doing: Doing | null; onDo: (doing: Doing | null) => void }) {
  const done = (): void => onDo(null);
  // What was opened once stays, so that it can leave as it came.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  if (doing && !opened.has(doing.deed)) setOpened(new Set([...opened, doing.deed]));
  const orderFor = (deed: Doing["deed"]): Order | null => (doing?.deed === deed ? doing.order : null);
  return (
    <>
      <CloseSheet order={orderFor("close")} onClose={done} />
      <CancelAlert order={orderFor("cancel")} onClose={done} />
      <OrderMenu order={orderFor("menu")} onClose={done} onDo={onDo} />
      <Suspense fallback={null}>
        {(Object.keys(RARE) as (keyof typeof RARE)[]).map((deed) => {
          const RareSheet = RARE[deed];
          return opened.has(deed) && <RareSheet key={deed} order={orderFor(deed)} onClose={done} />;
        })}
      </Suspense>
    </>
  );
}

/** All deeds of one row below each other, and the way to its page. */
function OrderMenu({ order, onClose, onDo }: { order: Order | null; onClose: () => void; onDo: (doing: Doing) => void }) {
  const { t } = useTranslation();
  const word = useDeedWord();
  const nameOf = useOrderName();
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now) => (
        <List label={nameOf(now)}>
          {deedsOf(now).map((deed) => (
            <Row key={deed} compact title={word(deed, now)} onPress={() => onDo({ deed, order: now })} />
          ))}
          <Row compact title={t("trade.details")} to={orderPath(now)} />
        </List>
      )}
    </OrderSheet>
  );
}
