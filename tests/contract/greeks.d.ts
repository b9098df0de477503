/** Types of the two published libraries that option prices are compared with; both have none of their own. */
declare module "greeks" {
  type CallPut = "call" | "put";
  export function getDelta(s: number, k: number, t: number, v: number, r: number, callPut: CallPut): number;
  export function getGamma(s: number, k: number, t: number, v: number, r: number): number;
  export function getVega(s: number, k: number, t: number, v: number, r: number): number;
  export function getTheta(s: number, k: number, t: number, v: number, r: number, callPut: CallPut, scale: number): number;
}
declare module "black-scholes" {
  export function blackScholes(s: number, k: number, t: number, v: number, r: number, callPut: "call" | "put"): number;
}
