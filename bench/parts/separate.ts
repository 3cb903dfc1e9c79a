import { measureWay } from '../measure-way.ts'
import type { Part, StagedContext } from '../part.ts'
import { AUTHORIZE } from '../shop.ts'

export const part: Part = {
  name: 'separate',
  title: 'Authorize, API and worker apart',
  about: 'The same as authorize, with an API process and a worker process.',
  stage: { apis: 1, workers: 1 },
  run: (context: StagedContext) =>
    measureWay(context, AUTHORIZE, {
      latency: { atMost: 1.6, stretch: 1.3 },
      throughput: { atLeast: 0.65, stretch: 0.8 },
    }),
}
