import { measureWay } from '../measure-way.ts'
import type { Part } from '../part.ts'
import { INVOICE } from '../shop.ts'

export const part: Part = {
  name: 'create-invoice',
  title: 'Create an invoice',
  about: 'POST /invoices, which asks nothing of Temporal.',
  stage: 'together',
  run: (context) => measureWay(context, INVOICE, {}),
}
