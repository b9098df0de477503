/** A sheet about one order: it follows the order while open, and keeps its content while it closes. */
import { useState } from "react";
import type { ReactNode } from "react";
import type { Order } from "#contract/order.ts";
import { orders, positions } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { TicketTitle } from "#src/screens/ticket/ticket.tsx";
import { Sheet } from "#src/ui/sheet.tsx";

export interface OrderSheetProps {
  /** Open while not null. */
  order: Order | null;
  onClose: () => void;
  /** Replaces the default title, the instrument with its price. */
  title?: string | undefined;
  /** `lock` keeps the sheet open while something is being sent. */
  children: (order: Order, lock: (locked: boolean) => void) => ReactNode;
}

/** The current order: another device may have changed it. */
function useOrderNow(order: Order | null): Order | null {
  const held = useResource(positions).value?.find((one) => one.orderNo === order?.orderNo);
  const pending = useResource(orders.pending).value?.items.find((one) => one.orderNo === order?.orderNo);
  const now = held ?? pending;
  return now && order && now.version >= order.version ? now : order;
}

export function OrderSheet({ order, onClose, title, children }: OrderSheetProps) {
  const [last, setLast] = useState(order);
  if (order !== null && order !== last) setLast(order);
  const [locked, setLocked] = useState(false);
  const now = useOrderNow(last);
  return (
    <Sheet open={order !== null} onClose={onClose} locked={locked} title={title ?? (last && <TicketTitle code={last.code} />)}>
      {now && <div key={now.orderNo}>{children(now, setLocked)}</div>}
    </Sheet>
  );
}
