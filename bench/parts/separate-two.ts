import type { StagedContext } from '../payments/measure-way.ts'
import { measurePart } from '../payments/part-of-way.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'separate-two',
  title: 'Authorize, two APIs and two workers',
  about: 'The same as authorize, with two API processes, asked in turn, and two worker processes.',
  stage: { apis: 2, workers: 2 },
  run: (context: StagedContext) =>
    measurePart(context, {
      operation: 'authorization',
      way: AUTHORIZE,
      bars: { latency: { atMost: 1.7, stretch: 1.3 }, throughput: { atLeast: 0.65, stretch: 0.8 } },
    }),
}
