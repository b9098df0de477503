/** The kinds of vibration: a selection, a sheet that opens, and the two outcomes of an order. */
export type HapticKind = "tick" | "light" | "success" | "error";
