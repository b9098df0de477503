/** Generates the names of fictitious companies: an invented first half, and a second half for the sector. */

/** `zh en`: invented first halves of company names. */
const FIRST = `
霧港 Mistport,星汐 Startide,藍礁 Bluereef,虹丘 Rainbowhill,月潮 Moontide,玉浪 Jadewave,曙灣 Dawnbay,雲嶼 Cloudisle,松濤 Pinesurf,銀沙 Silversand,
翠峽 Greengorge,鯨歌 Whalesong,海螢 Seaglow,風帆 Windsail,晨舟 Morningboat,遠汀 Farshore,珊岬 Coralcape,碧湖 Azurelake,流霞 Driftglow,金鷗 Goldgull,
霜林 Frostwood,暖洋 Warmsea,深藍 Deepblue,白鷺 Whiteheron,竹溪 Bamboobrook,石燈 Stonelamp,南星 Southstar,斗星 Dipperstar,朝露 Dewrise,夕雲 Duskcloud,
飛魚 Flyingfish,旗汀 Flagsand,潮生 Tideborn,燈塔 Lighthouse,浪花 Foamcrest,礁岩 Reefstone,島語 Islespeak,海棠 Crabapple,山櫻 Hillcherry,雨林 Rainwood,
青鳥 Bluebird,赤風 Tradewind,極光 Aurora,繁星 Starfield,溪谷 Brookvale,雪峰 Snowpeak,稻浪 Ricewave,蓮塘 Lotuspond,螺旋灣 Spiralbay,沙洲 Sandbar,
晴嵐 Clearmist,秋水 Autumnwater,春潮 Springtide,夏汛 Summerswell,冬堤 Winterquay,東籬 Easthedge,西窗 Westpane,曉月 Dawnmoon,彩貝 Shellbright,潛龍 Hiddendrake,
浮島 Driftisle,湧泉 Wellspring,古渡 Oldferry,新帆 Newsail,明礁 Brightreef,長汀 Longstrand,廣洋 Broadsea,高棧 Highpier,平湖 Stillmere,和風 Mildwind,
豐汐 Fulltide,隆濱 Swellcoast,瑞浦 Luckfirth,祥嶼 Boonisle,嘉津 Goodford,泰瀾 Calmswell,寶灘 Gemshoal,華漣 Fairripple,盛泊 Fullhaven,安瀧 Easerapids,
凌波 Wavestride,逐浪 Wavechase,聽濤 Surflisten,望汐 Tidewatch,映月 Moonmirror,含光 Glowheld,凝霜 Frostheld,折桂 Laurelcut,攬星 Stargather,乘風 Windrider,
墨海 Inksea,丹楓 Redmaple,紫藤 Wisteria,橙岸 Orangeshore,黛山 Duskhill,緋櫻 Rosecherry,素馨 Jasmine,琥珀灣 Amberbay,琉璃島 Glazeisle,琺瑯港 Enamelport
`;

/** Per industry `zh en`: what the companies of a sector make or do. */
const SECOND: Readonly<Record<string, string>> = {
  "01": "泥 Cement,石灰 Lime",
  "02": "食品 Foods,糧 Grains,味 Flavours",
  "03": "塑 Plastics,樹脂 Resins",
  "04": "紡 Textiles,織 Weaving,紗 Yarns",
  "05": "機械 Machinery,精機 Precision Machines,驅動 Drives",
  "06": "電纜 Cables,電線 Wires",
  "08": "玻璃 Glass,瓷 Ceramics",
  "09": "紙 Paper,紙漿 Pulp",
  "10": "鋼 Steel,鐵 Ironworks",
  "11": "膠 Rubber,輪胎 Tyres",
  "12": "車 Motors,車材 Auto Parts",
  "14": "建設 Construction,營造 Builders,建材 Materials",
  "15": "航 Lines,海運 Shipping",
  "16": "飯店 Hotels,餐飲 Dining,旅遊 Travel",
  "17": "銀 Bank,保 Insurance,證 Securities",
  "18": "百貨 Stores,貿易 Trading",
  "20": "實業 Industries,綜合 General",
  "21": "化 Chemicals,化材 Chemical Materials",
  "22": "生技 Biotech,藥 Pharma,醫材 Medical Devices",
  "23": "瓦斯 Gas,能源 Power",
  "24": "晶 Semiconductor,矽 Silicon,半導 Chips",
  "25": "電腦 Computer,系統 Systems",
  "26": "光 Optics,光電 Photonics",
  "27": "網通 Networks,通訊 Communications",
  "28": "電子 Electronics,電路 Circuits,連接 Connectors",
  "29": "通路 Distribution,商貿 Electronics Trading",
  "30": "資訊 Information,軟體 Software",
  "31": "科技 Technology,自動化 Automation",
  "32": "文創 Creative,影音 Media",
  "33": "農業 Agriculture",
  "35": "綠能 Green Energy,環保 Environmental",
  "36": "雲 Cloud,數位 Digital",
  "37": "運動 Sports,休閒 Leisure",
  "38": "家居 Home,生活 Living",
};

const pairs = (table: string): [zh: string, en: string][] =>
  table
    .trim()
    .split(/,\s*/)
    .map((entry) => {
      const space = entry.indexOf(" ");
      return [entry.slice(0, space), entry.slice(space + 1)];
    });

const FIRSTS = pairs(FIRST);

/** What the `nth` company of an industry makes or does, as the second half of its name. */
export function tradeName(industry: string, nth: number): { zh: string; en: string } {
  const trades = pairs(SECOND[industry] ?? "實業 Industries");
  const [zh, en] = trades[nth % trades.length] ?? ["", ""];
  return { zh, en };
}

/** The names of the `nth` fictitious company of an industry (counted across both boards); unique within the reference data. */
export function fictitiousName(industry: string, nth: number): { zh: string; en: string } {
  const seconds = pairs(SECOND[industry] ?? "實業 Industries");
  const from = Number(industry) * 37;
  const first = FIRSTS[(from + nth * 7) % FIRSTS.length] ?? ["", ""];
  const second = seconds[(nth + Math.floor(nth / FIRSTS.length)) % seconds.length] ?? ["", ""];
  return { zh: first[0] + second[0], en: `${first[1]} ${second[1]}` };
}
