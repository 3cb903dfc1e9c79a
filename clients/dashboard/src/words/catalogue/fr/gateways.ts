import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const gateways: Translated<English['gateways']> = {
  title: 'Passerelles',
}
