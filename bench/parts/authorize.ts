import { measurePart } from '../payments/part-of-way.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'authorize',
  title: 'Authorize',
  about: 'POST /invoices/{id}/authorize with a card, from request to answer.',
  stage: 'together',
  run: (context) =>
    measurePart(context, {
      operation: 'authorization',
      way: AUTHORIZE,
      bars: {
        latency: { atMost: 1, stretch: 0.7 },
        throughput: { atLeast: 1, stretch: 1.2 },
        statements: { atMost: 9, stretch: 6 },
        commits: { atMost: 4, stretch: 3 },
      },
    }),
}
