import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const customers: Translated<English['customers']> = {
  title: 'Kunden',
}
