/** The agreements in English; the binding text is that in Traditional Chinese. */
import type { AgreementTexts } from "./shape.ts";

export const en: AgreementTexts = {
  general: [
    "This is a sandbox. Prices are simulated and no real money moves; the agreement shows what a broker in Taiwan would have you sign.",
    "The text in Traditional Chinese is binding. Other languages are translations for your convenience.",
    "We keep this text, its fingerprint (SHA-256), your signature, the time and the session as proof for five years after your account is closed.",
    "You may end this agreement at any time through customer service. Obligations that exist by then remain until they are met.",
  ],
  dayTrading: {
    title: "Day-trading risk notice and agreement",
    points: [
      "A day trade is opened and closed on the same trading day, either bought first or sold first.",
      "What I leave open is squared off by the broker at the market before the close, at whatever price is then available. I bear the result and the costs.",
      "If a short sale cannot be covered the same day, shares must be borrowed or bought in the following days; the costs can be several times the price difference.",
      "Losses can occur within minutes, can exceed the amount I planned, and are paid from my account. I am liable for any remainder.",
      "The broker warns me at a loss that I can set, and may suspend day trading when I fail to settle.",
    ],
  },
  margin: {
    title: "Margin account agreement",
    points: [
      "The broker lends me money to buy, or shares to sell, against collateral, at the rates and ratios published under trading rules.",
      "Interest and borrowing fees accrue each day and are charged when the position is closed.",
      "When the value of my collateral falls below the maintenance ratio I receive a margin call. If I do not meet it in time, the broker closes positions without further notice.",
      "I can lose more than I paid in, and I owe the broker what the sale of the collateral does not cover.",
      "Corporate actions and general meetings may force me to close or return borrowed shares early.",
    ],
  },
  lending: {
    title: "Securities lending agreement",
    points: [
      "I lend my shares through the broker for a fee. During the loan they cannot be sold or withdrawn.",
      "The borrower pays me dividends and rights as compensation; I cannot vote with lent shares.",
      "The broker holds collateral from the borrower. If the borrower defaults, I receive cash to the value of the shares, which may differ from what I hoped to sell them for.",
      "I may ask for my shares back. Returning them takes up to the number of days stated with the loan.",
    ],
  },
  futures: {
    title: "Futures trading risk notice and agreement",
    points: [
      "A futures contract is bought with a small margin, so small price changes produce large gains and losses.",
      "Positions are revalued every day. A loss is taken from my futures wallet at once, and I must restore the margin when asked.",
      "When the margin falls below the maintenance level the broker closes positions. In a fast market this can happen at a price far from the last one.",
      "I can lose more than my margin, and I owe the difference.",
      "Contracts expire. At expiry they are settled in cash at the final settlement price.",
    ],
  },
  options: {
    title: "Options trading risk notice and agreement",
    points: [
      "The buyer of an option can lose the whole premium; most options expire without value.",
      "The seller of an option receives a premium and takes on a risk that can be many times as large, without an upper limit for uncovered calls.",
      "Selling options needs margin, which rises with the market and can be called at any time.",
      "Options are exercised automatically at expiry when they are in the money.",
    ],
  },
  loan: {
    title: "Credit loan agreement",
    points: [
      "The broker lends me an amount up to my limit, for the term and at the daily rate shown before I draw it.",
      "Interest accrues each day on the amount outstanding (actual days over 365). Payments cover interest first.",
      "The amount due is debited from my account on the due date. If the balance does not suffice, the loan is overdue and my credit score falls.",
      "Until the loan is repaid, I cannot withdraw cash. Borrowed money is no collateral for margin, futures or leverage.",
      "I may repay early, in full or in part, without a fee.",
    ],
  },
  copy: {
    title: "Copy-trading agreement",
    points: [
      "My account copies the orders of a trader whom I choose, in proportion to the amount I set aside.",
      "Past results do not predict future ones. My fills can differ from the trader's in price, size and time.",
      "The trader is not my adviser and does not know my circumstances. The decision to follow is mine.",
      "Nothing is paid to the trader. At the loss or deadline I set, or when the trader is removed, what was copied is sold at the market; when I stop, it is sold or stays mine to close, as I choose.",
    ],
  },
  crypto: {
    title: "Risk notice for crypto",
    points: [
      "I trade crypto with the broker's simulated market. It is no security: no law protects it as one, and nobody guarantees its price or that it can be sold.",
      "Its price has no daily limit and moves at every hour, also at night and on holidays. I may lose all that I pay.",
      "I pay in full. Nothing is lent, nothing is sold short, and no leverage is offered.",
      "The fee is charged on buying and on selling, with a minimum for each order, and is shown before I confirm. A value between two cents is rounded against me, by less than one cent for each fill.",
    ],
  },
  subscription: {
    title: "Subscription and auction agreement",
    points: [
      "I subscribe to or bid for new shares, bonds or funds at the terms of each offering, which I read before I subscribe.",
      "Allotment is by lot or by price and may be less than I asked for, or nothing.",
      "What I am allotted must be paid by the payment deadline. Failing to pay forfeits the allotment and the deposit, and lowers my credit score.",
      "After listing, the price can be below the subscription price.",
    ],
  },
  privacy: {
    title: "Privacy notice and consent",
    points: [
      "We collect what an account needs: name, ID number, birth date, mobile number, photos of the ID card, bank cards, orders, payments, messages, devices and addresses of sign-ins.",
      "We use it to run your account, to meet the duties of a broker and to protect you from misuse. We do not sell it, and we show it to nobody but you and our operators, whose access is logged.",
      "Identity records and agreements are kept for five years after the account is closed, orders and ledger entries for ten years. Photos are deleted within days of the review.",
      "Under 14, a guardian's consent is required.",
      "You can see your data, export all of it, correct it, and ask for its erasure under Privacy. What the law has us keep is erased when its time is over.",
    ],
  },
};
