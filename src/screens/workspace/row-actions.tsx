/** The sheets that rows of the workspace's tables open: actions on orders, and the close of a position. */
import { lazy, Suspense, useState } from "react";
import type { ReactNode } from "react";
import type { CloseTarget } from "#src/screens/trade/close-sheet.tsx";
import { OrderActions } from "#src/screens/trade/order-actions.tsx";
import type { RunningAction } from "#src/screens/trade/order-actions.tsx";
import { ClosePosition, RunAction } from "./dock-table.tsx";

const CloseSheet = lazy(async () => ({ default: (await import("#src/screens/trade/close-sheet.tsx")).CloseSheet }));

/** The tables are its children. */
export function RowActions({ children }: { children: ReactNode }) {
  const [running, setRunning] = useState<RunningAction | null>(null);
  const [closing, setClosing] = useState<CloseTarget | null>(null);
  // The sheet stays mounted once opened, so that it can animate out.
  const [closed, setClosed] = useState(false);
  return (
    <>
      <RunAction value={setRunning}>
        <ClosePosition
          value={(position) => {
            setClosed(true);
            setClosing({ position, orderNos: [] });
          }}
        >
          {children}
        </ClosePosition>
      </RunAction>
      <OrderActions running={running} onDo={setRunning} />
      <Suspense fallback={null}>{closed && <CloseSheet target={closing} onClose={() => setClosing(null)} />}</Suspense>
    </>
  );
}
