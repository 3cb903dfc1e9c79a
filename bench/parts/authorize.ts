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
      latency: { atMost: 1.2, stretch: 0.9 },
      throughput: { atLeast: 0.85, stretch: 1 },
      cpu: { atMost: 1.4, stretch: 1.25 },
      statements: { atMost: 5.1, stretch: 5 },
      commits: { atMost: 3.1, stretch: 3 },
    }),
}
