import { ASSIGNED_CUSTOMER } from '../../schemas/customer-input.ts'
import { INVOICE } from '../../schemas/invoices/invoice-input.ts'
import { UPDATE } from '../../schemas/invoices/invoice-update.ts'
import { customer } from '../answers/customer.ts'
import { invoice } from '../answers/invoice.ts'
import { type Operation, ok } from './operation.ts'

export const INVOICE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /invoices': {
    id: 'createInvoice',
    tag: 'Invoices',
    summary: 'Create an invoice',
    description:
      'An invoice is what a customer is asked to pay. The answer has the client secret in a header: hand it to the page on which the customer pays.',
    request: { name: 'InvoiceInput', description: 'A new invoice.', input: INVOICE, about: ['Invoice'] },
    says: 'The invoice.',
    answers: ok({ invoice }),
    headers: ['X-Service-Client-Secret'],
    expands: 'invoice',
    refuses: [
      ['request.validation.missing-name', 'there is no name'],
      ['request.validation.missing-currency', 'there is no currency'],
      ['request.validation.missing-amount', 'a line has no amount'],
      ['request.validation.invalid-amount', 'the amount is no decimal text of its currency'],
      ['request.validation.invalid-currency', 'the currency is none'],
      ['request.validation.invalid-date', 'an instant is past, or has no offset'],
      ['request.validation.invalid-url', 'an address is none, or is one that webhooks may not go to'],
      ['request.validation.invalid-relationship', 'the token is one of another customer'],
      ['request.validation.error', '`reference_id` is that of another invoice'],
      ['resource.customer.not-found', 'there is no such customer'],
      ['resource.token.not-found', 'the customer has no such token'],
      ['service.not-supported', 'it asks for what is not supported'],
    ],
  },
  'GET /invoices/:id': {
    id: 'retrieveInvoice',
    tag: 'Invoices',
    summary: 'Retrieve an invoice',
    description:
      'A key with the permission `payments` is told the client secret in a header. A client is told what is to be paid, and nothing of the books.',
    says: 'The invoice.',
    answers: ok({ invoice }),
    headers: ['X-Service-Client-Secret'],
    expands: 'invoice',
  },
  'PUT /invoices/:id': {
    id: 'updateInvoice',
    tag: 'Invoices',
    summary: 'Change an invoice',
    description:
      'Changes what is given. A field that is absent or null stays, an empty text, object or list takes the value away, and `details`, `device` and the other groups are replaced as a whole. Another `currency` needs every amount anew. It works as long as nothing was paid and nothing is under way; `metadata` alone can be changed at any time.',
    request: {
      name: 'InvoiceChanges',
      clears: true,
      description: 'What is to be changed.',
      input: UPDATE,
      about: ['Invoice'],
    },
    says: 'The changed invoice.',
    answers: ok({ invoice }),
    expands: 'invoice',
    refuses: [
      ['request.validation.invalid-state', 'it is being paid, or was'],
      ['request.validation.invalid-amount', 'an amount is none of its currency, or stays in another one'],
      ['request.validation.error', '`reference_id` is that of another invoice'],
      ['request.validation.invalid-relationship', 'the token is one of another customer'],
    ],
  },
  'DELETE /invoices/:id': {
    id: 'deleteInvoice',
    tag: 'Invoices',
    summary: 'Delete an invoice',
    description: 'Removes an invoice with its lines, as long as no payment of it was begun.',
    says: 'The invoice is gone.',
    answers: ok({}),
    refuses: [['request.validation.invalid-state', 'a payment was begun, or a token refers to it']],
  },
  'GET /invoices/:id/customers': {
    id: 'retrieveInvoiceCustomer',
    tag: 'Customers',
    summary: 'Retrieve the customer of an invoice',
    says: 'The customer.',
    answers: ok({ customer }),
    refuses: [['resource.customer.not-found', 'the invoice has none']],
  },
  'POST /invoices/:id/customers': {
    id: 'assignInvoiceCustomer',
    tag: 'Customers',
    summary: 'Give an invoice its customer',
    description: 'An existing customer by `customer_id`, or a new one with these fields, as long as nothing was paid.',
    request: { name: 'AssignedCustomer', description: 'The customer.', input: ASSIGNED_CUSTOMER, about: ['Customer'] },
    says: 'The customer.',
    answers: ok({ customer }),
    expands: 'customer',
    refuses: [
      ['request.validation.invalid-state', 'the invoice is being paid, or was'],
      ['request.validation.invalid-email', 'a field is wrong: each has its code'],
    ],
  },
}
