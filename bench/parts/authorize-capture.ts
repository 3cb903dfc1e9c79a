import { measurePart } from '../payments/part-of-way.ts'
import { AUTHORIZE_AND_CAPTURE } from '../payments/ways.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'authorize-capture',
  title: 'Authorize and capture',
  about: 'The same, and POST /invoices/{id}/capture as soon as it is answered.',
  stage: 'together',
  run: (context) =>
    measurePart(context, {
      operation: 'authorization and capture',
      way: AUTHORIZE_AND_CAPTURE,
      bars: {
        throughput: { atLeast: 0.5, stretch: 0.65 },
        workflowTasks: { atMost: 2, stretch: 2 },
      },
    }),
}
