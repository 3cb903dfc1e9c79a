import { measureWebhooks } from '../webhooks/measure-part.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'webhooks',
  title: 'Webhooks',
  about: 'How many webhooks go out in a second, what one costs, and how soon they arrive at a quarter of that.',
  stage: 'together',
  run: (context) => measureWebhooks(context, { p50: { atMost: 60, stretch: 40 }, p99: { atMost: 250, stretch: 120 } }),
}
