/**
 * Typical figures per industry: `code|dividend yield in hundredths of a percent|price to earnings|price to book|price to sales,
 * each in tenths`.
 */
const FIGURE_TABLE = `
01|420|140|9|11
02|330|180|18|12
03|300|190|10|8
04|380|140|11|9
05|330|190|24|19
06|310|170|18|12
08|250|200|9|12
09|340|150|9|8
10|360|140|11|7
11|370|150|11|11
12|380|150|15|12
14|480|100|12|18
15|520|80|9|11
16|260|210|28|17
17|440|120|12|26
18|360|170|17|8
20|370|150|15|13
21|370|160|15|14
22|180|260|30|45
23|390|170|19|14
24|220|230|42|51
25|380|160|21|9
26|240|190|14|12
27|310|180|21|15
28|310|170|22|16
29|470|120|14|3
30|350|200|29|20
31|340|170|20|11
32|270|200|21|17
33|200|220|17|19
35|260|200|19|21
36|230|240|31|26
37|360|160|19|13
38|400|140|17|12
`;

export interface Figure {
  /** Yearly cash dividends as a fraction of the price. */
  cashShare: number;
  priceEarnings: number;
  priceBook: number;
  priceSales: number;
}

const FIGURES = new Map(
  FIGURE_TABLE.trim()
    .split("\n")
    .map((line): [string, Figure] => {
      const [code = "", cash, earnings, book, sales] = line.split("|");
      return [
        code,
        {
          cashShare: Number(cash) / 10_000,
          priceEarnings: Number(earnings) / 10,
          priceBook: Number(book) / 10,
          priceSales: Number(sales) / 10,
        },
      ];
    }),
);
const MARKET_AVERAGE: Figure = { cashShare: 0.033, priceEarnings: 17, priceBook: 1.8, priceSales: 1.4 };

/** The typical figures of an industry; the market average for an unknown one. */
export function figureOf(industry: string): Figure {
  return FIGURES.get(industry) ?? MARKET_AVERAGE;
}
