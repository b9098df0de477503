/** The order of the test files: those that visit every screen take longest and start first, so that no process works alone at the end. */
import { BaseSequencer } from "vitest/node";

const LONGEST = /-screens\.test\.ts$|\/screens\.test\.ts$/;

export class TestSequence extends BaseSequencer {
  async sort(files) {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const isLong = ({ moduleId }) => LONGEST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
