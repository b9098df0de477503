/** Listens to what leaders tell through Redis, as a follower does. */
import { createClient } from "@redis/client";

/** Before the text of a message. */
const SEAL_LENGTH = 43;

export interface StreamSpy {
  /** Messages that came after one of a later epoch, or a second time. */
  disordered(): string[];
  /** Those of the messages that came. */
  epochs(): number[];
  close(): Promise<void>;
}

export async function openStreamSpy(port: number): Promise<StreamSpy> {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on("error", () => undefined);
  await client.connect();
  const disordered: string[] = [];
  const epochs: number[] = [];
  let last = { epoch: 0, n: -1 };
  await client.pSubscribe("kuroshio:*:leader", (text) => {
    const { epoch, n, items } = JSON.parse(text.slice(SEAL_LENGTH)) as { epoch: number; n: number; items: unknown[] };
    const isLater = epoch > last.epoch || (epoch === last.epoch && (items.length === 0 ? n >= last.n : n > last.n));
    if (!isLater) disordered.push(`${epoch}:${n} after ${last.epoch}:${last.n}`);
    if (epoch > last.epoch) epochs.push(epoch);
    last = { epoch, n };
  });
  return {
    disordered: () => disordered,
    epochs: () => epochs,
    async close() {
      await client.close();
    },
  };
}
