/** A list next to the phone detail, for screens between phone and wide layout. */
import type { ReactNode } from "react";
import { useNavigate } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { WideList } from "./wide-list.tsx";
import styles from "./wide.module.css";

/** Choosing in the list changes the detail; the address keeps the code. */
export function SplitView({ instrument, children }: { instrument: Instrument; children: ReactNode }) {
  const navigate = useNavigate();
  const choose = (next: Instrument): void => {
    rememberDetail(next);
    void navigate(ownPath(next), { replace: true });
  };
  return (
    <div className={styles.panes}>
      <WideList instrument={instrument} onChoose={choose} />
      {children}
    </div>
  );
}
