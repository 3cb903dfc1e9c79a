import { describeModel } from './model.ts'

/** Few payments, so that each change is tried in seconds; `model.long.test.ts` has many. */
describeModel({ runs: 40, seed: 20_261_121 })
