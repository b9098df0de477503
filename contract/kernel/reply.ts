/** The envelope of every reply: `{ status, msg, data }`, and for a refusal also `code`, `params` and the `field` concerned. */
import type { RefusalCode } from "./refusal.ts";

/** Values for the placeholders of a refusal's text: `{n}`, `{n1}`, `{n2}` in the catalogue. */
export type RefusalParams = Record<string, string | number>;

export interface Accepted<Data> {
  status: 1;
  msg: string;
  data: Data;
}

export interface Refused {
  status: 0;
  /** The catalogue's Chinese text with placeholders filled in, which any client can show as is. */
  msg: string;
  data: null;
  code: RefusalCode;
  params: RefusalParams;
  /** The body field the refusal concerns, if any. */
  field?: string;
}

export type Reply<Data> = Accepted<Data> | Refused;
