import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const disputes: Translated<English['disputes']> = {
  title: 'Reklamationen',
}
