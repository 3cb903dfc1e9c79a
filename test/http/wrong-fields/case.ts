import type { Endpoint } from '../endpoints.ts'

/** A change of one field that the endpoint refuses, the name of that field, and the `error_type`. */
export type Case = [what: string, endpoint: Endpoint, change: Record<string, unknown>, name: string, errorType: string]

export const invoice = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/invoices',
  change,
  name,
  errorType,
]

/** On either of the two endpoints that get an invoice paid. */
export const payment = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case[] => [
  [what, '/invoices/:id/authorize', change, name, errorType],
  [what, '/invoices/:id/capture', change, name, errorType],
]
