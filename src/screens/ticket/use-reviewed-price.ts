/** The price a review is read at: when it has moved too far by the time of the confirmation, the member reviews again. */
import { useState } from "react";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "#src/actors/request.ts";
import { movedFar } from "./estimate.ts";

/** The last price when the review was shown, and the previous one if it has moved too far since. */
export interface ReviewedPrice {
  price: number;
  was: number | null;
}

/** `last`: the last price now; 0 while none is known. */
export function useReviewedPrice(request: Pick<Request<EndpointName>, "confirm" | "reviewAgain">, last: number, tradable: boolean) {
  const [readAt, setReadAt] = useState<ReviewedPrice | null>(null);
  return {
    /** Null before the first review. */
    readAt,
    /** The review is shown now. */
    startReview: (): void => setReadAt({ price: last, was: null }),
    confirm: (): void => {
      if (!tradable) return;
      if (readAt && movedFar(readAt.price, last)) {
        setReadAt({ price: last, was: readAt.price });
        request.reviewAgain();
      } else {
        request.confirm();
      }
    },
  };
}
