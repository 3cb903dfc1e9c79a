import { measureWay } from '../measure-way.ts'
import type { Part } from '../part.ts'
import { AUTHORIZE_AND_CAPTURE } from '../shop.ts'

export const part: Part = {
  name: 'authorize-capture',
  title: 'Authorize and capture',
  about: 'The same, and POST /invoices/{id}/capture as soon as it is answered.',
  stage: 'together',
  run: (context) =>
    measureWay(context, AUTHORIZE_AND_CAPTURE, {
      throughput: { atLeast: 0.45, stretch: 0.55 },
      cpu: { atMost: 2.5, stretch: 2.1 },
      workflowTasks: { atMost: 2, stretch: 2 },
    }),
}
