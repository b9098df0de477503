/** Addresses of the services behind the feeds: the only external hosts the server contacts, and only when FEED names them. */

/** Where the two exchanges publish their lists of securities. */
export interface OpenData {
  /** Base addresses of TWSE's and TPEx's open data. */
  listed: string;
  otc: string;
}

export const OPEN_DATA: OpenData = { listed: "https://openapi.twse.com.tw/v1", otc: "https://www.tpex.org.tw/openapi/v1" };

/** The exchanges' quote service. */
export const MIS = "https://mis.twse.com.tw/stock";

/** The Fugle market data service: stream and REST. */
export const FUGLE_STREAM = "wss://api.fugle.tw/marketdata";
export const FUGLE_REST = "https://api.fugle.tw/marketdata/v1.0/stock";
