import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const payment: Translated<English['payment']> = {
  title: 'Paiement',
}
