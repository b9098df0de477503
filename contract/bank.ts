/** The banks of Taiwan with their codes, for the accounts that withdrawals are paid to. */

/** Code, Chinese and English name. */
const TABLE = `
004|臺灣銀行|Bank of Taiwan
005|臺灣土地銀行|Land Bank of Taiwan
006|合作金庫商業銀行|Taiwan Cooperative Bank
007|第一商業銀行|First Commercial Bank
008|華南商業銀行|Hua Nan Commercial Bank
009|彰化商業銀行|Chang Hwa Commercial Bank
011|上海商業儲蓄銀行|Shanghai Commercial & Savings Bank
012|台北富邦商業銀行|Taipei Fubon Commercial Bank
013|國泰世華商業銀行|Cathay United Bank
016|高雄銀行|Bank of Kaohsiung
017|兆豐國際商業銀行|Mega International Commercial Bank
018|全國農業金庫|Agricultural Bank of Taiwan
020|日商瑞穗銀行台北分行|Mizuho Bank Taipei
021|花旗（台灣）商業銀行|Citibank Taiwan
022|美國銀行台北分行|Bank of America Taipei
023|泰國盤谷銀行台北分行|Bangkok Bank Taipei
048|王道商業銀行|O-Bank
050|臺灣中小企業銀行|Taiwan Business Bank
052|渣打國際商業銀行|Standard Chartered Bank (Taiwan)
053|台中商業銀行|Taichung Commercial Bank
054|京城商業銀行|King's Town Bank
081|匯豐（台灣）商業銀行|HSBC Bank (Taiwan)
101|瑞興商業銀行|Taipei Star Bank
102|華泰商業銀行|Hwatai Bank
103|臺灣新光商業銀行|Taiwan Shin Kong Commercial Bank
108|陽信商業銀行|Sunny Bank
118|板信商業銀行|Bank of Panhsin
147|三信商業銀行|Cota Commercial Bank
380|大陸商中國銀行臺北分行|Bank of China Taipei
381|大陸商交通銀行臺北分行|Bank of Communications Taipei
382|大陸商中國建設銀行臺北分行|China Construction Bank Taipei
700|中華郵政股份有限公司|Chunghwa Post
803|聯邦商業銀行|Union Bank of Taiwan
805|遠東國際商業銀行|Far Eastern International Bank
806|元大商業銀行|Yuanta Commercial Bank
807|永豐商業銀行|Bank SinoPac
808|玉山商業銀行|E.SUN Commercial Bank
809|凱基商業銀行|KGI Bank
810|星展（台灣）商業銀行|DBS Bank (Taiwan)
812|台新國際商業銀行|Taishin International Bank
816|安泰商業銀行|EnTie Commercial Bank
822|中國信託商業銀行|CTBC Bank
823|將來商業銀行|Next Commercial Bank
824|連線商業銀行|LINE Bank Taiwan
826|樂天國際商業銀行|Rakuten International Commercial Bank
`;

export interface Bank {
  /** Three digits. */
  code: string;
  zh: string;
  en: string;
}

export const BANKS: readonly Bank[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [code = "", zh = "", en = ""] = line.split("|");
    return { code, zh, en };
  });

const byCode = new Map(BANKS.map((bank) => [bank.code, bank]));

/** Tells whether a bank has this code. */
export const isBankCode = (code: string): boolean => byCode.has(code);

/** The name of a bank in a language (BCP 47 tag); its code where it is not listed. */
export function bankName(code: string, language: string): string {
  const bank = byCode.get(code);
  if (!bank) return code;
  return language.startsWith("zh") ? bank.zh : bank.en;
}
