import { endpoint, logging } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { customer } from '../../objects/customer.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { shown } from '../examples/shown.ts'
import { ASSIGNED_CUSTOMER, CUSTOMER_CHANGES, NEW_CUSTOMER } from './customer-input.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './customers.ts'
import { assignInvoiceCustomer, retrieveInvoiceCustomer } from './invoice-customers.ts'

export const CUSTOMERS = logging(
  ['customer_id', 'default_token_id', 'is_business', 'currency', 'balance', 'registered_at'],
  [
    listEndpoint('GET /customers', {
      id: 'listCustomers',
      method: 'customers.list',
      tag: 'Customers',
      summary: 'List customers',
      list: 'customers',
      resource: 'customer',

      shows: 'Customer',
      example: () => example.customer,
    }),
    endpoint('GET /invoices/:id/customers', {
      id: 'retrieveInvoiceCustomer',
      method: 'invoices.retrieveCustomer',
      tag: 'Customers',
      summary: 'Retrieve the customer of an invoice',
      access: { permission: 'read' },
      says: 'The customer.',
      answers: ok({ customer }),
      refuses: [['resource.customer.not-found', 'the invoice has none']],
      examples: () => shown({ customer: example.customer }),
      run: retrieveInvoiceCustomer,
    }),
    endpoint('POST /invoices/:id/customers', {
      id: 'assignInvoiceCustomer',
      method: 'invoices.assignCustomer',
      tag: 'Customers',
      summary: 'Give an invoice its customer',
      access: { permission: 'payments' },
      description:
        'An existing customer by `customer_id`, or a new one with these fields, as long as nothing was paid.',
      body: {
        name: 'AssignedCustomer',
        description: 'The customer.',
        input: ASSIGNED_CUSTOMER,
        about: ['Customer'],
        example: { customer_id: example.customer.id },
      },
      says: 'The customer.',
      answers: ok({ customer }),
      expands: 'customer',
      refuses: [
        ['request.validation.invalid-state', 'the invoice is being paid, or was'],
        ['request.validation.invalid-email', 'a field is wrong: each has its code'],
      ],
      examples: () => shown({ customer: example.customer }),
      run: assignInvoiceCustomer,
    }),
    endpoint('POST /customers', {
      id: 'createCustomer',
      method: 'customers.create',
      tag: 'Customers',
      summary: 'Create a customer',
      access: { permission: 'payments' },
      description: 'Every field may be left out.',
      body: {
        name: 'CustomerInput',
        description: 'A new customer.',
        input: NEW_CUSTOMER,
        about: ['Customer'],
        example: {
          email: example.customer.email,
          first_name: example.customer.first_name,
          last_name: example.customer.last_name,
          address1: example.customer.address1,
          city: example.customer.city,
          zip: example.customer.zip,
          country_code: example.customer.country_code,
          phone: example.customer.phone,
          currency: example.customer.currency,
          reference_id: example.customer.reference_id,
          metadata: example.customer.metadata,
        },
      },
      says: 'The customer.',
      answers: ok({ customer }),
      expands: 'customer',
      refuses: [
        ['request.validation.invalid-email', 'the email address is none; every field has its code'],
        ['request.validation.missing-currency', 'there is a balance, and no currency'],
      ],
      examples: () => shown({ customer: example.customer }),
      run: createCustomer,
    }),
    endpoint('GET /customers/:id', {
      id: 'retrieveCustomer',
      method: 'customers.retrieve',
      tag: 'Customers',
      summary: 'Retrieve a customer',
      access: { permission: 'read', reads: 'customer' },
      says: 'The customer.',
      answers: ok({ customer }),
      expands: 'customer',
      examples: () => shown({ customer: example.customer }),
      run: (deps) => retrieve(deps, 'customer'),
    }),
    endpoint('PUT /customers/:id', {
      id: 'updateCustomer',
      method: 'customers.update',
      tag: 'Customers',
      summary: 'Change a customer',
      access: { permission: 'payments' },
      description: 'Changes what is given. A field that is absent or null stays, an empty text clears it.',
      body: {
        name: 'CustomerChanges',
        clears: true,
        description: 'What is to be changed.',
        input: CUSTOMER_CHANGES,
        about: ['Customer'],
        example: { email: 'ann@shopper.example', phone: { number: '198765432', dialing_code: '+33' } },
      },
      says: 'The changed customer.',
      answers: ok({ customer }),
      expands: 'customer',
      refuses: [
        ['request.validation.invalid-currency', 'another currency than the one that is set'],
        ['resource.token.not-found', 'the default token is not one of the customer'],
      ],
      examples: () => shown({ customer: example.customer }),
      run: updateCustomer,
    }),
    endpoint('DELETE /customers/:id', {
      id: 'deleteCustomer',
      method: 'customers.delete',
      tag: 'Customers',
      summary: 'Delete a customer',
      access: { permission: 'payments' },
      description:
        'For good: all that is personal is erased, with tokens and card numbers, in invoices and in events as well. Invoices and transactions stay.',
      says: 'The customer is erased.',
      answers: ok({}),
      examples: () => shown({}),
      run: deleteCustomer,
    }),
  ],
)
