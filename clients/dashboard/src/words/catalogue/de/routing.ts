import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const routing: Translated<English['routing']> = {
  title: 'Routing-Regeln',
}
