/** The few paths the shell itself leads to. */

export const START = "/login/start";
export const SIGN_IN = "/login/login";
export const SEARCH = "/favorite/search";
