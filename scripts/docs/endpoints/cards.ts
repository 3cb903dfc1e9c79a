import { CARD_OF_CLIENT } from './clients.ts'
import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const NOT_FOUND = missing('resource.card.not-found')

export const CARDS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/cards',
    outcomes: [
      succeeds('the card, without its number'),
      succeeds('in live, any card'),
      fails('card.invalid-number', 'the number fails its check digit'),
      fails('card.invalid-expiry-month', 'there is no such month'),
      fails('card.invalid-expiry-year', 'the year is none, or past'),
      fails('card.invalid-cvc', 'the security code is none'),
      fails('card.invalid-name', 'the name is too long'),
      fails('request.validation.invalid-scheme', 'the preferred scheme is none'),
      fails('sandbox.not-supported', 'in the sandbox, a card that is no test card'),
      fails('request.validation.invalid-country', 'a field of the holder is wrong'),
      UNKNOWN_FIELD,
      fails('request.validation.error', 'several fields are wrong: each is named'),
      ...MUTATION,
    ],
  },
  { method: 'GET', path: '/cards', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/cards/:id',
    outcomes: [
      succeeds('the card, without its number'),
      fails('resource.card.not-found', 'it was deleted'),
      ...READING,
      ...NOT_FOUND,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/cards/:id',
    outcomes: [
      succeeds('what is named is changed'),
      succeeds('a new security code, encrypted'),
      succeeds('the event `card.updated`'),
      fails('card.invalid-cvc', 'a field is wrong'),
      fails('resource.card.not-found', 'it was deleted'),
      ...CARD_OF_CLIENT,
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NOT_FOUND,
    ],
  },
  {
    method: 'DELETE',
    path: '/cards/:id',
    outcomes: [
      succeeds('number, code and holder are erased'),
      succeeds('with the token that it became'),
      ...MUTATION,
      ...NOT_FOUND,
    ],
  },
  {
    method: 'GET',
    path: '/iins/:iin',
    outcomes: [
      succeeds('scheme, type and country'),
      fails('resource.card.not-found', 'no card begins with these digits'),
      ...READING,
    ],
  },
]
