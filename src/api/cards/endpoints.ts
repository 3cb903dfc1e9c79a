import { endpoint, logging, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { card, cardInformation } from '../../objects/card.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { shown } from '../examples/shown.ts'
import { CARD, CARD_CHANGES } from './card-input.ts'
import { createCard, deleteCard, updateCard } from './cards.ts'
import { retrieveIin } from './iins.ts'

const WRONG_CARD: readonly Refusal[] = [
  ['card.invalid-cvc', 'the security code is none'],
  ['card.invalid-name', 'the name is too long'],
  ['request.validation.invalid-scheme', 'the preferred scheme is none'],
]

export const CARDS = logging(
  ['exp_month', 'exp_year', 'preferred_scheme', 'token_type', 'device'],
  [
    endpoint('POST /cards', {
      id: 'createCard',
      method: 'cards.create',
      tag: 'Cards',
      summary: 'Create a card',
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'Takes a card as it was entered. Its number and security code go to the vault and are in no answer. The sandbox takes its documented test cards only.',
      body: {
        name: 'CardInput',
        description: 'A card as it was entered.',
        input: CARD,
        about: ['Card'],
        example: {
          number: '4242424242424242',
          exp_month: 12,
          exp_year: 2030,
          cvc2: '123',
          name: 'Ann Martin',
          contact: { zip: '75002', country_code: 'FR' },
        },
      },
      says: 'The card, without its number.',
      answers: ok({ card }),
      expands: 'card',
      refuses: [
        ['card.invalid-number', 'the number has a wrong digit, or is none'],
        ['card.invalid-expiry-month', 'there is no such month'],
        ['card.invalid-expiry-year', 'the year is none'],
        ['card.invalid-expiry-date', 'the card has expired'],
        ...WRONG_CARD,
        ['request.validation.invalid-country', 'the country of the holder is none'],
        ['sandbox.not-supported', 'in the sandbox, the card is no test card'],
      ],
      examples: () => shown({ card: example.newCard }),
      run: createCard,
    }),
    listEndpoint('GET /cards', {
      id: 'listCards',
      method: 'cards.list',
      tag: 'Cards',
      summary: 'List cards',
      list: 'cards',
      resource: 'card',

      shows: 'Card',
      example: () => example.card,
    }),
    endpoint('GET /cards/:id', {
      id: 'retrieveCard',
      method: 'cards.retrieve',
      tag: 'Cards',
      summary: 'Retrieve a card',
      access: { permission: 'read' },
      says: 'The card, without its number.',
      answers: ok({ card }),
      expands: 'card',
      examples: () => shown({ card: example.card }),
      run: (deps) => retrieve(deps, 'card'),
    }),
    endpoint('PUT /cards/:id', {
      id: 'updateCard',
      method: 'cards.update',
      tag: 'Cards',
      summary: 'Change a card',
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'Changes what is given. A client may change `cvc2` and `preferred_scheme`, as long as the card was not saved to a customer.',
      body: {
        name: 'CardChanges',
        clears: true,
        description: 'What is to be changed.',
        input: CARD_CHANGES,
        about: ['Card'],
        example: { cvc2: '123', preferred_scheme: 'visa' },
      },
      says: 'The changed card.',
      answers: ok({ card }),
      expands: 'card',
      refuses: [
        ...WRONG_CARD,
        ['request.validation.invalid-state', 'a client changes a card that was saved'],
        ['request.validation.error', 'a client sets the name or the metadata'],
      ],
      examples: () => shown({ card: example.newCard }),
      run: updateCard,
    }),
    endpoint('DELETE /cards/:id', {
      id: 'deleteCard',
      method: 'cards.delete',
      tag: 'Cards',
      summary: 'Delete a card',
      access: { permission: 'payments' },
      description:
        'For good: number, security code and all that tells of the holder are erased, with the token that the card became. Transactions keep naming it.',
      says: 'The card is erased.',
      answers: ok({}),
      refuses: [['request.still-processing', 'the card becomes a token at this very moment']],
      examples: () => shown({}),
      run: deleteCard,
    }),
    endpoint('GET /iins/:iin', {
      id: 'retrieveIin',
      method: 'iins.retrieve',
      tag: 'Cards',
      summary: 'Look up the first digits of a card',
      access: { permission: 'read', isOpenToClients: true },
      says: 'What the digits tell.',
      answers: ok({ card_information: cardInformation }),
      refuses: [['resource.card.not-found', 'no card is known to begin with these digits']],
      examples: () => shown({ card_information: example.cardInformation }),
      run: retrieveIin,
    }),
  ],
)
