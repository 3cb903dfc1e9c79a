import { endpoint, section } from '../../http/endpoint.ts'
import { shows, showsOnly, success } from '../answers.ts'
import { changing } from '../change.ts'
import { customer } from '../examples/payer.ts'
import { creates, deletes, lists, retrieves, updates } from '../usual-endpoints.ts'
import { ASSIGNED_CUSTOMER, CUSTOMER_CHANGES, NEW_CUSTOMER } from './customer-input.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './customers.ts'
import { assignInvoiceCustomer, retrieveInvoiceCustomer } from './invoice-customers.ts'

const LOGGED = ['customer_id', 'default_token_id', 'is_business', 'currency', 'balance', 'registered_at']

export const CUSTOMERS = section({ tag: 'Customers', says: 'Customers, and who pays an invoice.', logs: LOGGED }, [
  lists('GET /customers', 'customer'),
  endpoint('GET /invoices/:id/customers', {
    id: 'retrieveInvoiceCustomer',
    method: 'invoices.retrieveCustomer',
    summary: 'Retrieve the customer of an invoice',
    access: { permission: 'read' },
    answers: showsOnly('customer'),
    refuses: [['resource.customer.not-found', 'the invoice has none']],
    run: retrieveInvoiceCustomer,
  }),
  endpoint('POST /invoices/:id/customers', {
    id: 'assignInvoiceCustomer',
    method: 'invoices.assignCustomer',
    summary: 'Give an invoice its customer',
    access: { permission: 'payments' },
    description: 'An existing customer by `customer_id`, or a new one with these fields, as long as nothing was paid.',
    body: {
      name: 'AssignedCustomer',
      description: 'The customer.',
      input: ASSIGNED_CUSTOMER,
      about: ['Customer'],
      example: { customer_id: customer.id },
    },
    answers: shows('customer'),
    refuses: [
      ['request.validation.invalid-state', 'the invoice is being paid, or was'],
      ['request.validation.invalid-email', 'a field is wrong: each has its code'],
    ],
    run: changing(assignInvoiceCustomer),
  }),
  creates('POST /customers', 'customer', {
    access: { permission: 'payments' },
    description: 'Every field may be left out.',
    body: {
      description: 'A new customer.',
      input: NEW_CUSTOMER,
      example: {
        email: customer.email,
        first_name: customer.first_name,
        last_name: customer.last_name,
        country_code: customer.country_code,
      },
    },
    refuses: [
      ['request.validation.invalid-email', 'the email address is invalid; every field has its code'],
      ['request.validation.missing-currency', 'there is a balance, and no currency'],
    ],
    run: changing(createCustomer),
  }),
  retrieves('GET /customers/:id', 'customer', { access: { permission: 'read', reads: 'customer' } }),
  updates('PUT /customers/:id', 'customer', {
    access: { permission: 'payments' },
    description: 'Changes what is given. A field that is absent or null stays, an empty text clears it.',
    body: {
      input: CUSTOMER_CHANGES,
      example: { email: 'ann@shopper.example', phone: { number: '198765432', dialing_code: '+33' } },
    },
    refuses: [
      ['request.validation.invalid-currency', 'another currency than the one that is set'],
      ['resource.token.not-found', 'the default token is not one of the customer'],
    ],
    run: changing(updateCustomer),
  }),
  deletes('DELETE /customers/:id', 'customer', {
    access: { permission: 'payments' },
    description:
      'For good: all that is personal is erased, with tokens and card numbers, in invoices and in events as well. Invoices and transactions stay.',
    answers: success('The customer is erased.'),
    run: changing(deleteCustomer),
  }),
])
