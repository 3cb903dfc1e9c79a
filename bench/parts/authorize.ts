import { measureWay } from '../measure-way.ts'
import type { Part } from '../part.ts'
import { AUTHORIZE } from '../shop.ts'

export const part: Part = {
  name: 'authorize',
  title: 'Authorize',
  about: 'POST /invoices/{id}/authorize with a card, from request to answer.',
  stage: 'together',
  run: (context) =>
    measureWay(context, AUTHORIZE, {
      latency: { atMost: 1, stretch: 0.7 },
      throughput: { atLeast: 1, stretch: 1.2 },
      cpu: { atMost: 1.4, stretch: 1.25 },
      statements: { atMost: 9, stretch: 6 },
      commits: { atMost: 4, stretch: 3 },
    }),
}
