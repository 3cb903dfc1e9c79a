import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { cardInformation } from '../../objects/card.ts'
import { ok, shows, success } from '../answers.ts'
import { changing } from '../change.ts'
import { cardInformation as exampleInformation, newCard } from '../examples/payer.ts'
import { creates, deletes, lists, retrieves, updates } from '../usual-endpoints.ts'
import { CARD, CARD_CHANGES } from './card-input.ts'
import { createCard, deleteCard, updateCard } from './cards.ts'
import { retrieveIin } from './iins.ts'

const WRONG_CARD: readonly Refusal[] = [
  ['card.invalid-cvc', 'the security code is invalid'],
  ['card.invalid-name', 'the name is too long'],
  ['request.validation.invalid-scheme', 'the preferred scheme is unknown'],
]

const LOGGED = ['exp_month', 'exp_year', 'preferred_scheme', 'token_type', 'device']

export const CARDS = section(
  { tag: 'Cards', says: 'Cards as they were entered, without their numbers.', logs: LOGGED },
  [
    creates('POST /cards', 'card', {
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'Takes a card as it was entered. Its number and security code go to the vault and are in no answer. The sandbox takes its documented test cards only, unless the project has an account at a gateway other than the simulator.',
      body: {
        description: 'A card as it was entered.',
        input: CARD,
        example: {
          number: '4242424242424242',
          exp_month: 12,
          exp_year: 2030,
          cvc2: '123',
          name: 'Ann Martin',
        },
      },
      answers: shows('card', 'The card, without its number.', newCard),
      refuses: [
        ['card.invalid-number', 'the number fails its check digit, or is no card number'],
        ['card.invalid-expiry-month', 'there is no such month'],
        ['card.invalid-expiry-year', 'the year is invalid'],
        ['card.invalid-expiry-date', 'the card has expired'],
        ...WRONG_CARD,
        ['request.validation.invalid-country', 'the country of the holder is unknown'],
        [
          'sandbox.not-supported',
          'in a sandbox without an account at another gateway, the card is none of the test cards',
        ],
      ],
      run: changing(createCard),
    }),
    lists('GET /cards', 'card'),
    retrieves('GET /cards/:id', 'card', { answers: shows('card', 'The card, without its number.') }),
    updates('PUT /cards/:id', 'card', {
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'Changes what is given. A client may change `cvc2` and `preferred_scheme`, as long as the card was not saved to a customer.',
      body: { input: CARD_CHANGES, example: { cvc2: '123', preferred_scheme: 'visa' } },
      answers: shows('card', 'The changed card.', newCard),
      refuses: [
        ...WRONG_CARD,
        ['request.validation.invalid-state', 'a client changes a card that was saved'],
        ['request.validation.error', 'a client sets the name or the metadata'],
      ],
      run: changing(updateCard),
    }),
    deletes('DELETE /cards/:id', 'card', {
      access: { permission: 'payments' },
      description:
        'For good: number, security code and all that tells of the holder are erased, with the token that the card became. Transactions keep naming it.',
      answers: success('The card is erased.'),
      refuses: [['request.still-processing', 'the card becomes a token at this very moment']],
      run: changing(deleteCard),
    }),
    endpoint('GET /iins/:iin', {
      id: 'retrieveIin',
      method: 'iins.retrieve',
      summary: 'Look up the first digits of a card',
      access: { permission: 'read', isOpenToClients: true },
      refuses: [['resource.card.not-found', 'no card is known to begin with these digits']],
      answers: ok(
        'What the digits tell.',
        { card_information: cardInformation },
        { card_information: exampleInformation },
      ),
      run: retrieveIin,
    }),
  ],
)
