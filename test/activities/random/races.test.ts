import { describeAuthorizationRaces } from './authorization-races.ts'
import { describeDeadlineRaces } from './deadline-races.ts'
import { describeRequestRaces } from './request-races.ts'

/** Few, so that each change is tried in seconds; `races.long.test.ts` has many. */
const RUNS = 16

describeAuthorizationRaces(RUNS)
describeDeadlineRaces(RUNS)
describeRequestRaces(RUNS)
