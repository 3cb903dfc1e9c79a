import { measureInvoices } from '../payments/measure-invoices.ts'
import type { Part } from './part.ts'

export const part: Part = {
  name: 'create-invoice',
  title: 'Create an invoice',
  about: 'POST /invoices, which asks nothing of Temporal.',
  stage: 'together',
  run: measureInvoices,
}
