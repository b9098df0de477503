/** The three screens of block trades as one chunk: a member who sees one usually sees the others. */
export { BlockBuy } from "./block-buy.tsx";
export { BlockOffers } from "./block-offers.tsx";
export { BlockOrders } from "./block-orders.tsx";
