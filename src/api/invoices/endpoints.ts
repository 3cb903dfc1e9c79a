import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { INVOICE_BODY } from '../../http/middleware/body.ts'
import { invoice } from '../../objects/invoice.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { invoiceRow, invoiceWith, lineRows, TRANSACTIONS } from '../examples/payment.ts'
import { shown } from '../examples/shown.ts'
import { INVOICE } from './invoice-input.ts'
import { UPDATE } from './invoice-update.ts'
import { createInvoice, deleteInvoice, retrieveInvoice, updateInvoice } from './invoices.ts'

export const INVOICES: readonly Endpoint[] = [
  endpoint('POST /invoices', {
    id: 'createInvoice',
    method: 'invoices.create',
    tag: 'Invoices',
    summary: 'Create an invoice',
    access: { permission: 'payments' },
    description:
      'An invoice is what a customer is asked to pay. The answer has the client secret in a header: hand it to the page on which the customer pays.',
    body: {
      name: 'InvoiceInput',
      description: 'A new invoice.',
      input: INVOICE,
      about: ['Invoice'],
      limits: INVOICE_BODY,
      example: {
        name: invoiceRow.name,
        amount: '129.90',
        currency: 'EUR',
        customer_id: example.customer.id,
        order_id: invoiceRow.orderId,
        details: lineRows.map(({ name, quantity }, index) => ({
          name,
          amount: index === 0 ? '119.90' : '10.00',
          quantity,
          category: 'clothing',
          condition: 'new',
        })),
        statement_descriptor: 'SHOP EXAMPLE',
        webhook_url: invoiceRow.webhookUrl,
        return_url: invoiceRow.returnUrl,
        cancel_url: invoiceRow.cancelUrl,
        device: { channel: 'web' },
        incremental: true,
        unsupported_feature_bypass: { incremental_authorization: true },
        metadata: invoiceRow.metadata,
      },
    },
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
    examples: () => shown({ invoice: example.invoice }),
    run: createInvoice,
  }),
  listEndpoint('GET /invoices', {
    id: 'listInvoices',
    method: 'invoices.list',
    tag: 'Invoices',
    summary: 'List invoices',
    list: 'invoices',
    resource: 'invoice',

    shows: 'Invoice',
    example: () => example.invoice,
  }),
  endpoint('GET /invoices/:id', {
    id: 'retrieveInvoice',
    method: 'invoices.retrieve',
    tag: 'Invoices',
    summary: 'Retrieve an invoice',
    access: { permission: 'read', isOpenToClients: true, reads: 'invoice' },
    description:
      'A key with the permission `payments` is told the client secret in a header. A client is told what is to be paid, and nothing of the books.',
    says: 'The invoice.',
    answers: ok({ invoice }),
    headers: ['X-Service-Client-Secret'],
    expands: 'invoice',
    examples: () => shown({ invoice: invoiceWith(TRANSACTIONS.captured) }),
    run: retrieveInvoice,
  }),
  endpoint('PUT /invoices/:id', {
    id: 'updateInvoice',
    method: 'invoices.update',
    tag: 'Invoices',
    summary: 'Change an invoice',
    access: { permission: 'payments' },
    description:
      'Changes what is given. A field that is absent or null stays, an empty text, object or list takes the value away, and `details`, `device` and the other groups are replaced as a whole. Another `currency` needs every amount anew. It works as long as nothing was paid and nothing is under way; `metadata` alone can be changed at any time.',
    body: {
      name: 'InvoiceChanges',
      clears: true,
      description: 'What is to be changed.',
      input: UPDATE,
      about: ['Invoice'],
      limits: INVOICE_BODY,
      example: { amount: '134.90', order_id: '000042-A', metadata: { cart: 'cart-78' } },
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
    examples: () => shown({ invoice: example.invoice }),
    run: updateInvoice,
  }),
  endpoint('DELETE /invoices/:id', {
    id: 'deleteInvoice',
    method: 'invoices.delete',
    tag: 'Invoices',
    summary: 'Delete an invoice',
    access: { permission: 'payments' },
    description: 'Removes an invoice with its lines, as long as no payment of it was begun.',
    says: 'The invoice is gone.',
    answers: ok({}),
    refuses: [['request.validation.invalid-state', 'a payment was begun, or a token refers to it']],
    examples: () => shown({}),
    run: deleteInvoice,
  }),
]
