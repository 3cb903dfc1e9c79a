import type { StagedContext } from '../payments/measure-way.ts'
import { measurePart } from '../payments/part-of-way.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'separate',
  title: 'Authorize, API and worker apart',
  about: 'The same as authorize, with an API process and a worker process.',
  stage: { apis: 1, workers: 1 },
  run: (context: StagedContext) =>
    measurePart(context, {
      operation: 'authorization',
      way: AUTHORIZE,
      bars: { latency: { atMost: 1.7, stretch: 1.3 }, throughput: { atLeast: 0.65, stretch: 0.8 } },
    }),
}
