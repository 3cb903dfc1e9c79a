import { authorizeApart } from '../payments/authorize-apart.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'separate-two',
  title: 'Authorize, two APIs and two workers',
  about: 'The same as authorize, with two API processes, asked in turn, and two worker processes.',
  ...authorizeApart(2),
}
