import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const books: Translated<English['books']> = {
  title: 'Bücher',
}
