/** The sheets that change an order or its exits, given to the charts below: they belong to the trade screens. */
import { createContext } from "react";
import type { ComponentType } from "react";
import type { Price } from "#contract/kernel/money.ts";
import type { Order, Trigger } from "#contract/order.ts";

export interface OwnSheetProps {
  /** Open while not null. */
  order: Order | null;
  onClose: () => void;
}

export interface OwnSheetSet {
  Amend: ComponentType<OwnSheetProps & { price?: Price | null; trigger?: Price | null }>;
  Exits: ComponentType<OwnSheetProps & { moved?: Trigger | null }>;
}

/** Null where a chart only shows the levels. */
export const OwnSheets = createContext<OwnSheetSet | null>(null);
