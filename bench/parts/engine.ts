import { measureEngine } from '../engine/measure-engine.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'engine',
  title: "Temporal's own part",
  about: 'What Temporal and its SDK take of a payment when nothing of ours is in it, beside a bare update-with-start.',
  stage: 'together',
  run: measureEngine,
}
