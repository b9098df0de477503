/** Tests that one-time codes are mailed to the gateway of the member's number, over a real SMTP conversation. */
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openCodeSender } from "#server/accounts/code-sender.ts";
import { readConfig } from "#server/config.ts";

interface Mail {
  from: string;
  to: string;
  data: string;
}

let server: Server | null = null;
afterEach(async () => {
  await new Promise<void>((done) => (server ? server.close(() => done()) : done()));
  server = null;
});

/** Speaks enough SMTP to take one mail per connection (RFC 5321). */
function converse(socket: Socket, take: (mail: Mail) => void): void {
  const mail: Mail = { from: "", to: "", data: "" };
  let inData = false;
  let rest = "";
  const answer = (line: string): void => void socket.write(`${line}\r\n`);
  const takeLine = (line: string): void => {
    if (inData) {
      if (line !== ".") return void (mail.data += `${line}\n`);
      inData = false;
      take(mail);
      return answer("250 taken");
    }
    const word = line.slice(0, 4).toUpperCase();
    if (word === "MAIL") mail.from = line;
    if (word === "RCPT") mail.to = line;
    if (word === "DATA") inData = true;
    answer(word === "DATA" ? "354 go on" : word === "QUIT" ? "221 bye" : "250 ok");
    if (word === "QUIT") socket.end();
  };
  answer("220 gateway");
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString("utf8")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) takeLine(line);
  });
}

async function gateway(): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = [];
  const listening = createServer((socket) => converse(socket, (mail) => void mails.push(mail)));
  server = listening;
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, mails };
}

describe("a one-time code", () => {
  it("is mailed to the gateway's address of the number", async () => {
    const { url, mails } = await gateway();
    const sender = openCodeSender({ smtpUrl: url, to: "{mobile}@sms.example", from: "codes@kuroshio.example", sandboxPhone: true });
    if (sender.kind !== "mail") throw new Error(sender.kind);
    await sender.send("0912345678", "407519", "resetPassword");
    expect(mails).toHaveLength(1);
    expect(mails[0]?.from).toContain("<codes@kuroshio.example>");
    expect(mails[0]?.to).toContain("<0912345678@sms.example>");
    expect(mails[0]?.data).toContain("407519 is your code for a new sign-in password");
  });

  it("is shown only where that is allowed and nothing can be mailed", () => {
    const config = { smtpUrl: null, to: "{mobile}@x", from: "a@x" };
    expect(openCodeSender({ ...config, sandboxPhone: true }).kind).toBe("sandbox");
    expect(openCodeSender({ ...config, sandboxPhone: false }).kind).toBe("none");
    const phone = (environment: Record<string, string>) => readConfig(environment).codes.sandboxPhone;
    expect(phone({})).toBe(true);
    expect(phone({ HOST: "0.0.0.0" })).toBe(false);
    expect(phone({ TRUST_PROXY: "1" })).toBe(false);
    expect(phone({ HOST: "0.0.0.0", SANDBOX_PHONE: "on" })).toBe(true);
    expect(phone({ SANDBOX_PHONE: "off" })).toBe(false);
  });
});
