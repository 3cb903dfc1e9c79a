import { authorizeApart } from '../payments/authorize-apart.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'separate',
  title: 'Authorize, API and worker apart',
  about: 'The same as authorize, with an API process and a worker process.',
  ...authorizeApart(1),
}
