/** Funds, notes, receipts and preferred shares that carry real codes: `code|zh|en|price|units, millions|style` under `#kind board`. */
import { usualLimitPercent } from "#contract/tick.ts";
import type { Kind } from "#contract/instrument.ts";
import type { Style } from "./style.ts";

/** Funds priced abroad, or by bonds or commodities, have no daily limit: their market trades while this one is closed. */
const UNLIMITED: ReadonlySet<Style> = new Set(["b", "w", "c"]);

/** The daily limit in per cent: for funds and notes a multiple of the usual where they track a multiple of the market. */
export function limitPercentOf(kind: Kind, style: Style): number | null {
  const usual = usualLimitPercent(kind);
  if (usual === null || (kind !== "etf" && kind !== "etn")) return usual;
  if (UNLIMITED.has(style)) return null;
  return style === "l" ? 2 * usual : usual;
}

/**
 * The style says what a fund tracks: `m` the market, `l` twice the market, `r` its inverse, `h` dividend payers, `t` technology,
 * `f` finance, `b` bonds, `w` foreign markets, `c` commodities, `p` a fixed payout.
 */
export const FUND_KNOWN = `
#etf listed
0050|元大台灣50|Yuanta Taiwan 50|196|2860|m
0051|元大中型100|Yuanta Mid-Cap 100|82.4|18|m
0052|富邦科技|Fubon Technology|212|62|t
0053|元大電子|Yuanta Electronics|102|8|t
0055|元大MSCI金融|Yuanta MSCI Financials|29.8|62|f
0056|元大高股息|Yuanta High Dividend|36.4|11200|h
0057|富邦摩台|Fubon MSCI Taiwan|142|4|m
0061|元大寶滬深|Yuanta CSI 300|19.6|120|w
006203|元大MSCI台灣|Yuanta MSCI Taiwan|92.4|22|m
006204|永豐臺灣加權|SinoPac TAIEX|118|6|m
006205|富邦上証|Fubon SSE 180|32.4|240|w
006206|元大上證50|Yuanta SSE 50|33.2|62|w
006208|富邦台50|Fubon Taiwan 50|114|1620|m
00631L|元大台灣50正2|Yuanta Taiwan 50 2X|228|210|l
00632R|元大台灣50反1|Yuanta Taiwan 50 Inverse|3.86|8600|r
00635U|期元大S&P黃金|Yuanta S&P Gold|32.6|420|c
00636|國泰中國A50|Cathay China A50|24.8|320|w
00637L|元大滬深300正2|Yuanta CSI 300 2X|18.4|980|w
00642U|期元大S&P石油|Yuanta S&P Oil|17.6|380|c
00645|富邦日本|Fubon Japan|42.6|86|w
00646|元大S&P500|Yuanta S&P 500|62.8|680|w
00650L|復華香港正2|Fuh Hwa Hong Kong 2X|11.4|210|w
00652|富邦印度|Fubon India|38.2|62|w
00657|國泰日經225|Cathay Nikkei 225|48.6|58|w
00660|元大歐洲50|Yuanta Euro 50|42.4|32|w
00662|富邦NASDAQ|Fubon NASDAQ|98.6|420|w
00663L|國泰臺灣加權正2|Cathay TAIEX 2X|186|34|l
00668|國泰美國道瓊|Cathay Dow Jones|52.4|42|w
00673R|期元大S&P原油反1|Yuanta Oil Inverse|6.84|62|c
00675L|富邦臺灣加權正2|Fubon TAIEX 2X|98.4|92|l
00690|兆豐藍籌30|Mega Blue Chip 30|36.8|42|m
00692|富邦公司治理|Fubon Governance|46.2|620|m
00700|富邦恒生國企|Fubon HSCEI|16.4|82|w
00701|國泰股利精選30|Cathay Low Volatility 30|29.6|120|h
00712|復華富時不動產|Fuh Hwa FTSE REITs|9.42|1680|w
00713|元大台灣高息低波|Yuanta High Dividend Low Vol|54.6|2420|h
00730|富邦臺灣優質高息|Fubon Quality Dividend|22.8|240|h
00733|富邦臺灣中小|Fubon Small-Mid Cap|52.4|82|m
00757|統一FANG+|UPAMC FANG+|112|186|w
00830|國泰費城半導體|Cathay PHLX Semiconductor|46.8|820|w
00850|元大臺灣ESG永續|Yuanta ESG|47.6|420|m
00878|國泰永續高股息|Cathay Sustainable Dividend|22.4|18600|h
00881|國泰台灣科技龍頭|Cathay Tech Leaders|27.8|1620|t
00885|富邦越南|Fubon Vietnam|12.4|860|w
00891|中信關鍵半導體|CTBC Key Semiconductor|18.6|1020|t
00892|富邦台灣半導體|Fubon Semiconductor|18.2|460|t
00893|國泰智能電動車|Cathay Smart EV|22.6|620|w
00900|富邦特選高股息30|Fubon Select Dividend 30|14.6|2860|h
00915|凱基優選高股息30|KGI Select Dividend 30|24.2|1260|h
00919|群益台灣精選高息|Capital Select Dividend|22.8|14200|h
00922|國泰台灣領袖50|Cathay Leaders 50|21.6|920|m
00929|復華台灣科技優息|Fuh Hwa Tech Dividend|18.4|9600|t
00934|中信成長高股息|CTBC Growth Dividend|19.2|1820|h
00939|統一台灣高息動能|UPAMC Dividend Momentum|14.8|1640|h
00940|元大台灣價值高息|Yuanta Value Dividend|9.48|15600|h
#etf otc
006201|元大富櫃50|Yuanta TPEx 50|23.6|18|m
00679B|元大美債20年|Yuanta US Treasury 20Y|27.8|7200|b
00687B|國泰20年美債|Cathay US Treasury 20Y|29.2|6800|b
00696B|富邦美債20年|Fubon US Treasury 20Y|32.4|680|b
00720B|元大投資級公司債|Yuanta Investment Grade|34.2|3620|b
00725B|國泰投資級公司債|Cathay Investment Grade|35.6|3280|b
00751B|元大AAA至A公司債|Yuanta AAA-A Corporate|32.8|2860|b
00772B|中信高評級公司債|CTBC High Grade Corporate|33.6|4120|b
00795B|中信美國公債20年|CTBC US Treasury 20Y|28.4|1860|b
00937B|群益ESG投等債20+|Capital ESG Bond 20Y|15.2|14600|b
#etn listed
020000|富邦特選蘋果N|Fubon Apple Select N|12.6|12|w
020011|統一微波高息20N|President Dividend 20 N|22.4|14|h
020020|元大台股領航N|Yuanta Pilot N|16.8|10|m
020028|元大特選電動車N|Yuanta EV N|11.2|10|t
020029|元大ESG高股息N|Yuanta ESG Dividend N|13.6|12|h
020039|元大加權N|Yuanta TAIEX N|14.2|10|m
#tdr listed
9103|美德醫療-DR|Medtecs DR|5.42|182|m
910322|康師傅-DR|Tingyi DR|26.8|62|w
9105|泰金寶-DR|Cal-Comp DR|6.84|420|t
9110|越南控-DR|Vietnam Manufacturing DR|3.62|120|w
9136|巨騰-DR|Ju Teng DR|5.86|98|t
#reit listed
01001T|土銀富邦R1|Fubon R1|17.4|583|p
01002T|土銀國泰R1|Cathay R1|18.6|1393|p
01004T|土銀富邦R2|Fubon R2|13.2|730|p
01007T|兆豐國泰R2|Cathay R2|16.8|600|p
01009T|王道圓滿R1|O-Bank Joy R1|9.42|300|p
01010T|京城樂富R1|King's Town Love R1|9.86|1050|p
#preferred listed
1101B|台泥乙特|TCC Preferred B|49.2|200|p
2002A|中鋼特|China Steel Preferred|39.8|38|p
2836A|高雄銀甲特|Bank of Kaohsiung Preferred A|24.6|60|p
2881A|富邦特|Fubon Preferred A|62.4|600|p
2881B|富邦金乙特|Fubon Preferred B|61.2|667|p
2881C|富邦金丙特|Fubon Preferred C|54.6|333|p
2882A|國泰特|Cathay Preferred A|61.8|833|p
2882B|國泰金乙特|Cathay Preferred B|60.4|700|p
2883B|凱基金乙特|KGI Preferred B|7.82|1580|p
2891B|中信金乙特|CTBC Preferred B|62.6|333|p
2891C|中信金丙特|CTBC Preferred C|58.2|167|p
9941A|裕融甲特|Yulon Finance Preferred A|48.6|100|p
`;
