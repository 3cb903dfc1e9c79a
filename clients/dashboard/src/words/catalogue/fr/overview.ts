import type { English } from '../en/index.ts'
import type { Translated } from '../translated.ts'

export const overview: Translated<English['overview']> = {
  title: 'Vue d’ensemble',
}
