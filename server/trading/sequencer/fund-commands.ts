/** Commands that bring a member's money in or out, or into another currency or wallet: of one member, one at a time is decided. */
import type { EndpointName } from "#contract/endpoints.ts";

const FUND_COMMANDS: ReadonlySet<EndpointName> = new Set([
  "submitDeposit",
  "submitCryptoDeposit",
  "requestWithdrawal",
  "acceptConversion",
  "transferFunds",
  "drawLoan",
  "repayLoan",
]);

/** A command as it arrives. */
interface Arrival {
  endpoint: EndpointName;
  memberId: number;
  body: { requestId: string };
}

/** The fund commands that wait for their answer. */
export class FundCommands {
  readonly #waiting = new Map<number, string>();

  /**
   * A command arrives. Another one of its member is then `busy`; the same one, sent again, is not: it gets the first one's answer.
   * @returns whether it is busy, and a function to call when it is answered
   */
  begin({ endpoint, memberId, body: { requestId } }: Arrival): { busy: boolean; end: () => void } {
    if (!FUND_COMMANDS.has(endpoint)) return { busy: false, end: () => undefined };
    const first = this.#waiting.get(memberId);
    if (first !== undefined) return { busy: first !== requestId, end: () => undefined };
    this.#waiting.set(memberId, requestId);
    return { busy: false, end: () => this.#waiting.delete(memberId) };
  }
}
