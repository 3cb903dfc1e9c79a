import Sequencer from '@jest/test-sequencer'

/**
 * Runs long tests before the others: Jest goes by the times that it has kept, of which a fresh clone has none, and a long
 * test begun last would leave the other workers idle.
 */
export default class LongTestsFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => path.endsWith('.long.test.ts')
    const sorted = super.sort(tests)
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))]
  }
}
