/** The operator's commands: one row each. A new command is a row in the list of its noun, and a new noun a line here. */
import { announcementCommands } from "./announcement.ts";
import { auditCommands } from "./audit.ts";
import { backupCommands } from "./backup.ts";
import { checkCommands } from "./check.ts";
import type { Command } from "./command.ts";
import { drawCommands } from "./draw.ts";
import { configurationCommands } from "./configuration.ts";
import { memberCommands } from "./member.ts";
import { mentorCommands } from "./mentor.ts";
import { orderCommands } from "./order-lock.ts";
import { restrictionCommands } from "./restriction.ts";
import { reviewCommands } from "./review.ts";
import { ruleCommands } from "./rule.ts";

export const COMMANDS: readonly Command[] = [
  ...backupCommands,
  ...checkCommands,
  ...drawCommands,
  ...memberCommands,
  ...restrictionCommands,
  ...mentorCommands,
  ...reviewCommands,
  ...announcementCommands,
  ...configurationCommands,
  ...ruleCommands,
  ...orderCommands,
  ...auditCommands,
];
