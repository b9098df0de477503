/** The routes of a member's own account: registration, the checklist after it, identity and passwords. */
import { screen } from "./lazy-screen.ts";
import type { ScreenRoute } from "./lazy-screen.ts";
import type { Route } from "./paths.ts";

const rewardScreens = () => import("#src/screens/information/reward-screens.ts");

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
  "/home/checkIn": {
    list: "/home/allTool",
    title: "checkIn",
    tab: "home",
    Screen: screen(rewardScreens, "CheckInPage", ["rewards", "funding"]),
  },
  "/information/agent": {
    list: "/information/index",
    title: "agent",
    tab: "account",
    Screen: screen(rewardScreens, "AgentPage", ["rewards", "funding"]),
  },
  "/information/seat": {
    list: "/information/index",
    title: "seat",
    tab: "account",
    Screen: screen(rewardScreens, "SeatPage", ["rewards", "funding"]),
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
