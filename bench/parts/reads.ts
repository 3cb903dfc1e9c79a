import { measureReads } from '../reads/measure-reads.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'reads',
  title: 'One object',
  about: 'GET /invoices/{id} and /transactions/{id} by one process, beside a bare Koa route with one statement.',
  stage: { apis: 1, workers: 1 },
  run: measureReads,
}
