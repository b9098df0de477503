/** The colour of each side and act: what buys is coloured up, what sells down. */
export const TONES = { buy: "up", sell: "down", cover: "up", short: "down" } as const;
