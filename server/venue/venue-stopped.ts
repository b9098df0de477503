/** The error of what waits for a market that stops. */

/** The server ends, or is elected and goes on with its market: what was asked may be asked again. */
export class VenueStopped extends Error {
  override readonly name = "VenueStopped";

  constructor() {
    super("the venue has stopped");
  }
}
