/** The routes of a member's own account: registration, the checklist after it, identity and passwords. */
import { screen } from "./lazy-screen.ts";
import type { ScreenRoute } from "./lazy-screen.ts";
import type { Route } from "./paths.ts";

export const memberRoutes = {
  "/login/start1": {
    title: "tour",
    open: true,
    Screen: screen(() => import("#src/screens/login/tour.tsx"), "Tour", ["member"]),
  },
  "/login/register": {
    title: "register",
    open: true,
    Screen: screen(() => import("#src/screens/login/register.tsx"), "Register", ["member"]),
  },
  "/login/forget": {
    title: "forget",
    open: true,
    Screen: screen(() => import("#src/screens/login/forget.tsx"), "Forget", ["member"]),
  },
  "/login/loginAfter": {
    title: "arrive",
    open: true,
    Screen: screen(() => import("#src/screens/login/arrive.tsx"), "Arrive", ["member"]),
  },
  "/information/authInfo": {
    list: "/information/index",
    title: "identity",
    tab: "account",
    Screen: screen(() => import("#src/screens/information/identity.tsx"), "IdentityPage", ["member", "account"]),
  },
  "/information/loginPass": {
    list: "/information/index",
    title: "loginPassword",
    tab: "account",
    Screen: screen(() => import("#src/screens/information/login-password.tsx"), "LoginPassword", ["member"]),
  },
  "/information/fundPass": {
    list: "/information/index",
    title: "fundPassword",
    tab: "account",
    Screen: screen(() => import("#src/screens/information/fund-password.tsx"), "FundPasswordPage", ["member"]),
  },
} satisfies Partial<Record<Route, Omit<ScreenRoute, "path">>>;
