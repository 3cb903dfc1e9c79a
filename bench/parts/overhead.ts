import { measureOverhead } from '../payments/measure-overhead.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'overhead',
  title: "Over the gateway's own delay",
  about: 'Authorizations at a simulator that answers as real gateways do: p50 120 ms, p99 380 ms, 0.7 % faults.',
  stage: 'together',
  run: (context) => measureOverhead(context, { atMost: 60, stretch: 40 }),
}
