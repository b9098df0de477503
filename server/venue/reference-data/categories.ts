/** The categories of every board, in order, and the number of stocks each industry has on either board once fictitious ones are added. */
import type { Board } from "#contract/instrument.ts";

/** `code|zh|zh-CN|en|listed stocks|over-the-counter stocks`. */
export const INDUSTRY_TABLE = `
01|水泥工業|水泥工业|Cement|7|0
02|食品工業|食品工业|Food|25|8
03|塑膠工業|塑胶工业|Plastics|22|4
04|紡織纖維|纺织纤维|Textiles|42|10
05|電機機械|电机机械|Electric Machinery|50|49
06|電器電纜|电器电缆|Electrical and Cable|16|4
08|玻璃陶瓷|玻璃陶瓷|Glass and Ceramics|5|4
09|造紙工業|造纸工业|Paper and Pulp|7|0
10|鋼鐵工業|钢铁工业|Iron and Steel|32|18
11|橡膠工業|橡胶工业|Rubber|11|4
12|汽車工業|汽车工业|Automobile|43|0
14|建材營造業|建材营造业|Building Materials and Construction|55|32
15|航運業|航运业|Shipping and Transportation|27|6
16|觀光餐旅|观光餐旅|Tourism and Hospitality|18|32
17|金融保險業|金融保险业|Finance and Insurance|49|8
18|貿易百貨業|贸易百货业|Trading and Consumers' Goods|19|4
20|其他業|其他业|Other|56|45
21|化學工業|化学工业|Chemical|28|14
22|生技醫療業|生技医疗业|Biotechnology and Medical Care|56|95
23|油電燃氣業|油电燃气业|Oil, Gas and Electricity|8|4
24|半導體業|半导体业|Semiconductor|93|107
25|電腦及週邊設備業|电脑及周边设备业|Computer and Peripheral Equipment|64|47
26|光電業|光电业|Optoelectronics|68|49
27|通信網路業|通信网路业|Communications and Internet|45|47
28|電子零組件業|电子零组件业|Electronic Parts and Components|104|107
29|電子通路業|电子通路业|Electronic Products Distribution|22|16
30|資訊服務業|信息服务业|Information Service|11|32
31|其他電子業|其他电子业|Other Electronics|46|49
32|文化創意業|文化创意业|Cultural and Creative|0|26
33|農業科技業|农业科技业|Agricultural Technology|0|4
35|綠能環保|绿能环保|Green Energy and Environmental Services|25|16
36|數位雲端|数字云端|Digital and Cloud Services|12|24
37|運動休閒|运动休闲|Sports and Leisure|18|9
38|居家生活|居家生活|Household|11|21
`;

/** The categories of a board besides its industries. */
export const OTHER_CATEGORIES: readonly { board: Board; code: string; zh: string; zhCn: string; en: string }[] = [
  { board: "listed", code: "etf", zh: "ETF", zhCn: "ETF", en: "ETFs" },
  { board: "listed", code: "etn", zh: "ETN", zhCn: "ETN", en: "ETNs" },
  { board: "listed", code: "tdr", zh: "存託憑證", zhCn: "存托凭证", en: "Depositary Receipts" },
  { board: "listed", code: "reit", zh: "不動產投資信託", zhCn: "不动产投资信托", en: "REITs" },
  { board: "listed", code: "preferred", zh: "特別股", zhCn: "优先股", en: "Preferred Shares" },
  { board: "otc", code: "etf", zh: "ETF", zhCn: "ETF", en: "ETFs" },
  { board: "otc", code: "etn", zh: "ETN", zhCn: "ETN", en: "ETNs" },
  { board: "otc", code: "tdr", zh: "存託憑證", zhCn: "存托凭证", en: "Depositary Receipts" },
  { board: "otc", code: "preferred", zh: "特別股", zhCn: "优先股", en: "Preferred Shares" },
  { board: "otc", code: "bond", zh: "可轉換公司債", zhCn: "可转换公司债", en: "Convertible Bonds" },
  { board: "index", code: "index", zh: "指數", zhCn: "指数", en: "Indices" },
  { board: "crypto", code: "crypto", zh: "加密貨幣", zhCn: "数字货币", en: "Crypto" },
  { board: "forex", code: "forex", zh: "外匯", zhCn: "外汇", en: "Foreign Exchange" },
];
