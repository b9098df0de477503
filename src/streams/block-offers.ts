/** The live block market: every offer with its price and its discounts, formatted here, because few screens need them and few offers change. */
import { useObservableState } from "observable-hooks";
import { map } from "rxjs";
import { discountOf } from "#contract/block-price.ts";
import type { BlockMarket, BlockOffer } from "#contract/block-market.ts";
import { formatPercent, formatPrice, grouped } from "#contract/kernel/money.ts";
import { channel } from "./channels.ts";

/** One offer; discounts in hundredths of a percent and as texts without a sign. */
export interface BlockOfferUpdate extends BlockOffer {
  priceText: string;
  marketText: string;
  averageText: string;
  leftText: string;
  discount: number;
  discountText: string;
  averageDiscount: number;
  averageDiscountText: string;
}

export interface BlocksUpdate extends Omit<BlockMarket, "offers"> {
  offers: BlockOfferUpdate[];
}

function offerUpdate(offer: BlockOffer): BlockOfferUpdate {
  const discount = discountOf(offer.price, offer.market);
  const averageDiscount = discountOf(offer.price, offer.average);
  return {
    ...offer,
    priceText: formatPrice(offer.price),
    marketText: formatPrice(offer.market),
    averageText: formatPrice(offer.average),
    leftText: grouped(String(offer.left)),
    discount,
    discountText: formatPercent(Math.abs(discount), "never"),
    averageDiscount,
    averageDiscountText: formatPercent(averageDiscount),
  };
}

/** Formats the block market. */
export const blocksUpdate = ({ offers, ...market }: BlockMarket): BlocksUpdate => ({ ...market, offers: offers.map(offerUpdate) });

const blocks$ = channel("blocks")("").pipe(map(blocksUpdate));

/** The live block market in a component; null until it arrives. */
export function useBlocks(): BlocksUpdate | null {
  return useObservableState(blocks$, null);
}
