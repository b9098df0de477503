/** The names of new issues: companies, funds and lead brokers that do not exist; enough of them for a schedule without end. */
import type { TradeNames } from "#server/venue/issue.ts";
import { tradeName } from "./fictitious-names.ts";
import { simplified } from "./simplified-chinese.ts";

/** `zh en`: both halves of an invented name, which any two of them make. */
const HEADS = `
霧 Mist,虹 Rainbow,潮 Tide,鯨 Whale,鷗 Gull,珊 Coral,螢 Firefly,霜 Frost,露 Dew,松 Pine,竹 Bamboo,蓮 Lotus,楓 Maple,藤 Vine,苔 Moss,蕨 Fern,
雁 Goose,鶴 Crane,鷺 Heron,鹿 Deer,狐 Fox,獺 Otter,貝 Shell,礫 Pebble,岩 Rock,砂 Sand,雲 Cloud,霞 Haze,晴 Clear,曙 Sunrise,暮 Dusk,月 Moon,
星 Star,暖 Warm,靜 Still,鮭 Salmon,鯖 Mackerel,鱸 Perch,蟹 Crab,蛤 Clam
`;
const TAILS = `
磯 crag,澳 cove,渚 islet,埠 wharf,堤 levee,磐 boulder,崎 bluff,津 ford,塢 dock,洲 reach,浦 creek,澗 gill,瀨 riffle,泉 spring,潭 tarn,澤 marsh,
峰 peak,嶺 ridge,坡 slope,谷 vale,原 moor,野 heath,橋 bridge,塔 tower,閣 loft,舟 boat,舵 helm,櫓 oar,錨 anchor,燈 lamp,鐘 bell,笛 pipe,
弦 string,鏡 glass,石 stone,藻 kelp,羽 plume,翼 wing,巢 nest,梯 steps
`;

/** `zh en` of what a fund buys, by its style. */
const FUNDS: Readonly<Record<"m" | "t" | "f" | "h", readonly [zh: string, en: string]>> = {
  m: ["臺灣領航", "Taiwan Leaders"],
  t: ["科技先鋒", "Tech Pioneers"],
  f: ["金融精選", "Select Financials"],
  h: ["優選高息", "High Dividend"],
};
export type FundStyle = keyof typeof FUNDS;
export const FUND_STYLES = Object.keys(FUNDS) as FundStyle[];

const BROKERS = "海嶼 Seaisle,晨舟 Morningboat,白鷺 Whiteheron,稻浪 Ricewave,遠汀 Farshore,石燈 Stonelamp,平湖 Stillmere,山櫻 Hillcherry";

const pairs = (table: string): [zh: string, en: string][] =>
  table
    .trim()
    .split(/,\s*/)
    .map((entry) => entry.split(" ") as [string, string]);
const ALL_HEADS = pairs(HEADS);
const ALL_TAILS = pairs(TAILS);
/** Coprime to the number of first halves, so that neighbouring issues have names of neither the same beginning nor the same end. */
const STEP = 611;

const named = (zh: string, en: string): TradeNames => ({ zh, zhCn: simplified(zh), en });

/** The first half of an issuer's name; `nth` issuers in a row, as many as there are halves, have different ones. */
function issuer(nth: number): [zh: string, en: string] {
  const place = (nth * STEP) % (ALL_HEADS.length * ALL_TAILS.length);
  const [headZh, headEn] = ALL_HEADS[place % ALL_HEADS.length] ?? ["", ""];
  const [tailZh, tailEn] = ALL_TAILS[Math.floor(place / ALL_HEADS.length)] ?? ["", ""];
  return [headZh + tailZh, headEn + tailEn];
}

export function companyNames(nth: number, industry: string): TradeNames {
  const [zh, en] = issuer(nth);
  const trade = tradeName(industry, nth);
  return named(zh + trade.zh, `${en} ${trade.en}`);
}

/** The first convertible bond of a company. */
export function bondNames(nth: number, industry: string): TradeNames {
  const { zh, en } = companyNames(nth, industry);
  return named(`${zh}一`, `${en} CB 1`);
}

/** `hasTerm`: the name says that the fund ends. */
export function fundNames(nth: number, style: FundStyle, hasTerm: boolean): TradeNames {
  const [zh, en] = issuer(nth);
  const [what, whatEn] = FUNDS[style];
  return hasTerm ? named(`${zh}${what}目標到期`, `${en} ${whatEn} Target Maturity`) : named(zh + what, `${en} ${whatEn}`);
}

const ALL_BROKERS = pairs(BROKERS).map(([zh, en]) => named(`${zh}證券`, `${en} Securities`));

export function leadBroker(nth: number): TradeNames {
  return ALL_BROKERS[nth % ALL_BROKERS.length] ?? named("", "");
}
