/** The screens of check-ins, agents and seats as one chunk: a member who sees one usually sees the others. */
export { AgentPage } from "./agent.tsx";
export { CheckInPage } from "./check-in.tsx";
export { SeatPage } from "./seat.tsx";
