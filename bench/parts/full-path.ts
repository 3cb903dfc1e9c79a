import { measureWay } from '../measure-way.ts'
import type { Part } from '../part.ts'
import { FULL_PATH } from '../shop.ts'

export const part: Part = {
  name: 'full-path',
  title: 'The full path',
  about: 'POST /invoices, an authorization that is captured at once, and all webhooks of both to one endpoint.',
  stage: 'together',
  run: (context) =>
    measureWay(
      context,
      FULL_PATH,
      { throughput: { atLeast: 0.2, stretch: 0.25 }, cpu: { atMost: 5.5, stretch: 4.5 } },
      { webhooks: true },
    ),
}
