/** Maps instruments to the channel names of the exchange's quote service (MIS). */
import type { Instrument } from "#contract/instrument.ts";

/** Indices whose name there differs from their code, as `code:name` under the `#exchange`. */
const INDEX_NAMES = `
#tse
IX0001:t00 IX0007:t001 IX0008:t002 IX0009:t003 IX0013:t011 IX0014:t031 IX0015:t051 IX0010:t01 IX0011:t02 IX0012:t03
IX0016:t04 IX0017:t05 IX0018:t06 IX0019:t07 IX0020:t21 IX0021:t22 IX0022:t08 IX0023:t09 IX0024:t10 IX0025:t11 IX0026:t12
IX0027:t13 IX0028:t24 IX0029:t25 IX0030:t26 IX0031:t27 IX0032:t28 IX0033:t29 IX0034:t30 IX0035:t31 IX0036:t14 IX0037:t15
IX0038:t16 IX0039:t17 IX0040:t18 IX0041:t23 IX0042:t20
#otc
IX0043:o00 IX0047:o13 IX0044:o04 IX0045:o05 IX0051:o21 IX0052:o22 IX0046:o10 IX0053:o24 IX0054:o25 IX0055:o26 IX0056:o27
IX0057:o28 IX0058:o29 IX0059:o30 IX0099:o31 IX0075:o32 IX0048:o14 IX0049:o15 IX0050:o16 IX0100:o20
`;

const byCode = new Map(
  INDEX_NAMES.trim()
    .split("#")
    .flatMap((part) => {
      const [exchange = "", ...pairs] = part.trim().split(/\s+/);
      return pairs.map((pair) => {
        const [code = "", name = ""] = pair.split(":");
        return [code, `${exchange}_${name}.tw`] as const;
      });
    }),
);

/** The channel of an instrument: `tse_2330.tw`, `otc_6488.tw`, `tse_t00.tw`. Newer indices keep their codes; TPEx's begin at IX0189. */
export function channelFor({ code, board }: Instrument): string {
  const named = byCode.get(code);
  if (named) return named;
  const otc = board === "otc" || (board === "index" && code >= "IX0189");
  return `${otc ? "otc" : "tse"}_${code}.tw`;
}
