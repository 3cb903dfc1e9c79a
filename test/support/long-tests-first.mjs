import Sequencer from '@jest/test-sequencer'

/** Those that take more than a minute, the longest first; what takes as long together is one line. */
const LONGEST = [
  'test/chaos/chaos.long',
  'test/versions/',
  'clients/test/android.long',
  'test/journeys/generated-clients.long',
  'test/journeys/restore.long',
  'test/admin/rotation.long',
  'races.long',
  'test/journeys/fuzz.long',
  'test/docs/guides/receivers.long',
  'clients/node/test/package.long',
  'test/activities/random/model.long',
  'test/journeys/restart.test',
  'test/http/openapi/reference-page.long',
  'test/scripts/site.long',
]

/** Most of a long test is waiting, so that the cores have time for as many short ones. */
const SHORT_BESIDE_EACH = 6

/**
 * Runs long tests before the others: Jest goes by the times that it has kept, of which a fresh clone has none, and a long
 * test begun last would leave the other workers idle. Short ones are run between them, or else all workers would wait at the
 * same time, and later all of them would want a core.
 */
export default class LongTestsFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => LONGEST.findIndex((part) => path.includes(part)) + 1 || LONGEST.length + 1
    const isLong = (test) => test.path.endsWith('.long.test.ts') || rank(test) <= LONGEST.length
    const sorted = super.sort(tests)
    const long = sorted.filter(isLong).sort((one, other) => rank(one) - rank(other))
    const short = sorted.filter((test) => !isLong(test))
    const mixed = long.flatMap((test) => [test, ...short.splice(0, SHORT_BESIDE_EACH)])
    return [...mixed, ...short]
  }
}
