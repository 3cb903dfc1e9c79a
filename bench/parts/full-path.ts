import { measureFullPath } from '../payments/measure-full-path.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'full-path',
  title: 'The full path',
  about: 'POST /invoices, an authorization that is captured at once, and all webhooks of both to one endpoint.',
  stage: 'together',
  run: (context) => measureFullPath(context, { atLeast: 0.18, stretch: 0.25 }),
}
