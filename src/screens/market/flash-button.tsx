/** The key under the order book that opens flash orders, which are loaded only then. */
import { Zap } from "lucide-react";
import { Suspense, lazy } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import { IconButton } from "#src/ui/button.tsx";

const Flash = lazy(() => import("./flash.tsx").then((module) => ({ default: module.Flash })));

/** In the line of the day's volume, so that a phone's first screen keeps its height for the five levels. */
export function FlashKey({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return <IconButton label={t("flash.title")} icon={<Zap size={20} aria-hidden />} onClick={onOpen} />;
}

export interface FlashAreaProps {
  instrument: Instrument;
  /** Called with what a tap on a price does; null while flash orders are off. */
  onArm: (send: ((price: Price) => void) | null) => void;
  onOff: () => void;
}

/** The sheet with their risk, then the bar above the levels while they are on. */
export function FlashArea(props: FlashAreaProps) {
  return (
    <Suspense>
      <Flash {...props} />
    </Suspense>
  );
}
