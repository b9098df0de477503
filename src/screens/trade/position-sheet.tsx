/** A sheet about one position: it follows the position while open, and keeps its content while it closes. */
import { useState } from "react";
import type { ReactNode } from "react";
import type { Position } from "#contract/position.ts";
import { TicketTitle } from "#src/screens/ticket/ticket.tsx";
import { usePositions } from "#src/streams/positions.ts";
import { Sheet } from "#src/ui/sheet.tsx";

interface PositionSheetProps {
  /** Open while not null. */
  position: Position | null;
  onClose: () => void;
  /** `lock` keeps the sheet open while something is being sent. */
  children: (position: Position, lock: (locked: boolean) => void) => ReactNode;
}

export function PositionSheet({ position, onClose, children }: PositionSheetProps) {
  const [last, setLast] = useState(position);
  if (position !== null && position !== last) setLast(position);
  const [locked, setLocked] = useState(false);
  // Another device may change it; once it is closed, its last state is kept for the result.
  const now = usePositions().value?.find(({ id }) => id === last?.id) ?? last;
  return (
    <Sheet open={position !== null} onClose={onClose} locked={locked} title={last && <TicketTitle code={last.code} />}>
      {now && children(now, setLocked)}
    </Sheet>
  );
}
