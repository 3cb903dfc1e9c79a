import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const payments: Translated<English['payments']> = {
  title: 'Paiements',
}
