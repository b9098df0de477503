/** The port through which one-time codes leave: mail to a gateway that forwards it to the phone, the sandbox's own panel, or nothing. */
import { createTransport } from "nodemailer";

/** What a code is good for. */
export type CodePurpose = "resetPassword" | "resetFundPassword";

/** Where codes go. */
export interface CodeConfig {
  /** An SMTP server, `smtp://user:password@host:port`; null for none. */
  smtpUrl: string | null;
  /** The gateway's mail address for a number; `{mobile}` is replaced. */
  to: string;
  from: string;
  /** Whether codes may be shown on the screen that asked for them, where no SMTP server is given. */
  sandboxPhone: boolean;
}

export type CodeSender =
  | { kind: "mail"; send(mobile: string, code: string, purpose: CodePurpose): Promise<void> }
  | { kind: "sandbox" }
  | { kind: "none" };

const SUBJECTS: Record<CodePurpose, string> = { resetPassword: "sign-in password", resetFundPassword: "fund password" };
/** A gateway that does not answer must not hold the caller. */
const TIMEOUT_MS = 5_000;

/** Opens the port that the configuration names. */
export function openCodeSender({ smtpUrl, to, from, sandboxPhone }: CodeConfig): CodeSender {
  if (smtpUrl === null) return { kind: sandboxPhone ? "sandbox" : "none" };
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    kind: "mail",
    async send(mobile, code, purpose) {
      const what = SUBJECTS[purpose];
      await transport.sendMail({
        from,
        to: to.replace("{mobile}", mobile),
        subject: `Kuroshio: code for a new ${what}`,
        text: `${code} is your code for a new ${what}. It is good for five minutes. Nobody at Kuroshio ever asks for it.`,
      });
    },
  };
}
