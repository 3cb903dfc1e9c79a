import { describeAuthorizationRaces } from './authorization-races.ts'
import { describeDeadlineRaces } from './deadline-races.ts'
import { describeRequestRaces } from './request-races.ts'

/** How often each pair of steps races, all its variants together; `HOLDFAST_RACE_RUNS` raises it. */
const RUNS = Number(process.env.HOLDFAST_RACE_RUNS ?? 60)

describeAuthorizationRaces(RUNS)
describeDeadlineRaces(RUNS)
describeRequestRaces(RUNS)
