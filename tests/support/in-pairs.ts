/** Brings the commands of two runs of a job into the same batches. */
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

type Submit = Pick<Sequencer, "submit">;

/** A sequencer that holds each command until there is another one, and then submits both. */
export function inPairs(sequencer: Submit): Submit {
  let waiting: (() => void)[] = [];
  return {
    submit: async <Result>(command: QueuedCommand<Result>): Promise<Result> => {
      await new Promise<void>((go) => {
        waiting.push(go);
        if (waiting.length < 2) return;
        for (const one of waiting) one();
        waiting = [];
      });
      return sequencer.submit(command);
    },
  };
}
