/** The services behind the feeds: the only places outside that the server ever speaks to, and only when FEED names them. */

/** Where the two exchanges publish what they list. */
export interface OpenData {
  /** Base address of TWSE's open data, and of TPEx's. */
  listed: string;
  otc: string;
}

export const OPEN_DATA: OpenData = { listed: "https://openapi.twse.com.tw/v1", otc: "https://www.tpex.org.tw/openapi/v1" };

/** The exchanges' quote service. */
export const MIS = "https://mis.twse.com.tw/stock";

/** The Fugle market data service: its streams, and its answers. */
export const FUGLE_STREAM = "wss://api.fugle.tw/marketdata";
export const FUGLE_REST = "https://api.fugle.tw/marketdata/v1.0/stock";
