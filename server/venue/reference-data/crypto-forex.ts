/** Cryptocurrencies, and foreign currencies that are quoted but not tradable here; all priced in New Taiwan dollars. */

/**
 * `code|zh|en|price|daily volatility in hundredths of a percent` under `#kind`. Small units are quoted per hundred or thousand, so
 * that they have enough ticks.
 */
export const CRYPTO_FOREX_TABLE = `
#crypto
BTC|比特幣|Bitcoin|3186000|260
ETH|以太幣|Ethereum|112400|330
BNB|幣安幣|BNB|28600|280
SOL|索拉納|Solana|5240|420
XRP|瑞波幣|XRP|72.4|380
ADA|艾達幣|Cardano|21.6|400
DOGE|狗狗幣|Dogecoin|6.28|460
TRX|波場幣|TRON|9.86|280
LTC|萊特幣|Litecoin|3280|320
LINK|鏈結|Chainlink|486|410
AVAX|雪崩協議|Avalanche|624|430
DOT|波卡幣|Polkadot|112|400
#forex
USDTWD|美元/新臺幣|US Dollar / New Taiwan Dollar|31.452|32
CNYTWD|人民幣/新臺幣|Renminbi / New Taiwan Dollar|4.4126|28
HKDTWD|港幣/新臺幣|Hong Kong Dollar / New Taiwan Dollar|4.0386|32
THBTWD|泰銖/新臺幣|Thai Baht / New Taiwan Dollar|0.9682|42
JPYTWD|日圓（百）/新臺幣|100 Japanese Yen / New Taiwan Dollar|20.584|48
VNDTWD|越南盾（千）/新臺幣|1,000 Vietnamese Dong / New Taiwan Dollar|1.1962|30
MYRTWD|馬來西亞令吉/新臺幣|Malaysian Ringgit / New Taiwan Dollar|7.4862|36
KRWTWD|韓元（百）/新臺幣|100 South Korean Won / New Taiwan Dollar|2.1804|48
`;
