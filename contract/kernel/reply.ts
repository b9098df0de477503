/** The envelope of every answer: `{ status, msg, data }`, and on a refusal also `code`, `params` and the `field` it concerns. */
import type { RefusalCode } from "./refusal.ts";

/** The numbers and words a refusal's text is filled with; `{n}`, `{n1}`, `{n2}` in the catalogue. */
export type RefusalParams = Record<string, string | number>;

export interface Accepted<Data> {
  status: 1;
  msg: string;
  data: Data;
}

export interface Refused {
  status: 0;
  /** Chinese text of the catalogue, filled in: what an unknown client can show as it came. */
  msg: string;
  data: null;
  code: RefusalCode;
  params: RefusalParams;
  /** The body field the refusal concerns, where it concerns one. */
  field?: string;
}

export type Reply<Data> = Accepted<Data> | Refused;
