import { section } from '../../http/endpoint.ts'
import { INVOICE_BODY } from '../../http/middleware/body.ts'
import { shows, success } from '../answers.ts'
import { changing } from '../change.ts'
import { invoiceRow, invoiceWith, TRANSACTIONS } from '../examples/payment.ts'
import { creates, deletes, lists, retrieves, updates } from '../usual-endpoints.ts'
import { INVOICE } from './invoice-input.ts'
import { UPDATE } from './invoice-update.ts'
import { createInvoice, deleteInvoice, retrieveInvoice, updateInvoice } from './invoices.ts'

export const INVOICES = section({ tag: 'Invoices', says: 'What customers are asked to pay.' }, [
  creates('POST /invoices', 'invoice', {
    access: { permission: 'payments' },
    description:
      'An invoice is what a customer is asked to pay. The answer has the client secret in a header: hand it to the page on which the customer pays.',
    body: {
      description: 'A new invoice.',
      input: INVOICE,
      limits: INVOICE_BODY,
      example: {
        name: invoiceRow.name,
        amount: '129.90',
        currency: 'EUR',
        order_id: invoiceRow.orderId,
        return_url: invoiceRow.returnUrl,
      },
    },
    headers: ['X-Service-Client-Secret'],
    refuses: [
      ['request.validation.missing-name', 'there is no name'],
      ['request.validation.missing-currency', 'there is no currency'],
      ['request.validation.missing-amount', 'a line has no amount'],
      ['request.validation.invalid-amount', 'the amount is not a decimal number in the digits of the currency'],
      ['request.validation.invalid-currency', 'the currency is unknown, or has ended'],
      ['request.validation.invalid-date', 'an instant is past, or has no offset'],
      ['request.validation.invalid-url', 'a URL is invalid, or webhooks may not go to it'],
      ['request.validation.invalid-relationship', 'the token is one of another customer'],
      ['request.validation.error', '`reference_id` is that of another invoice'],
      ['resource.customer.not-found', 'there is no such customer'],
      ['resource.token.not-found', 'the customer has no such token'],
      ['service.not-supported', 'it asks for what is not supported'],
    ],
    run: createInvoice,
  }),
  lists('GET /invoices', 'invoice'),
  retrieves('GET /invoices/:id', 'invoice', {
    access: { permission: 'read', isOpenToClients: true, reads: 'invoice' },
    description:
      'A key with the permission `payments` is told the client secret in a header. A client is told what is to be paid, and nothing of the books.',
    answers: shows('invoice', 'The invoice.', invoiceWith(TRANSACTIONS.captured)),
    headers: ['X-Service-Client-Secret'],
    run: retrieveInvoice,
  }),
  updates('PUT /invoices/:id', 'invoice', {
    access: { permission: 'payments' },
    description:
      'Changes what is given. A field that is absent or null stays, an empty text, object or list takes the value away, and `details`, `device` and the other groups are replaced as a whole. Another `currency` needs every amount anew. It works as long as nothing was paid and nothing is under way; `metadata` alone can be changed at any time.',
    body: {
      input: UPDATE,
      limits: INVOICE_BODY,
      example: { amount: '134.90', order_id: '000042-A', metadata: { cart: 'cart-78' } },
    },
    refuses: [
      ['request.validation.invalid-state', 'it is being paid, or was'],
      [
        'request.validation.invalid-amount',
        'an amount has too many digits for the currency, or would stay in another currency',
      ],
      ['request.validation.error', '`reference_id` is that of another invoice'],
      ['request.validation.invalid-relationship', 'the token is one of another customer'],
    ],
    run: changing(updateInvoice),
  }),
  deletes('DELETE /invoices/:id', 'invoice', {
    access: { permission: 'payments' },
    description: 'Removes an invoice with its lines, as long as no payment of it was begun.',
    answers: success('The invoice is gone.'),
    refuses: [['request.validation.invalid-state', 'a payment was begun, or a token refers to it']],
    run: changing(deleteInvoice),
  }),
])
