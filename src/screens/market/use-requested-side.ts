/** The order ticket requested by a detail's address, such as from the menu of a row. */
import { useEffect, useEffectEvent } from "react";
import { useQuery } from "#src/ui/link.tsx";
import type { TicketSide } from "#src/screens/quote/detail-link.ts";

/** Calls `open` once for each address with a side, and takes the side out of it: Back and a reload must not open the ticket again. */
export function useRequestedSide(open: (side: TicketSide) => void): void {
  const [query, setQuery] = useQuery<"/market/stockDetail">();
  const code = query.get("code");
  const requested = query.get("side");
  const opened = useEffectEvent((side: TicketSide) => {
    setQuery({ code: code ?? undefined });
    open(side);
  });
  useEffect(() => {
    if (requested === "buy" || requested === "sell") opened(requested);
  }, [requested]);
}
