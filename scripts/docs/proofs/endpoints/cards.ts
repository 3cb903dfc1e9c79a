import { testsIn } from '../proof.ts'
import { CARD_OF_CLIENT } from './clients.ts'
import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const cards = testsIn('test/http/cards.test.ts')
const changes = testsIn('test/http/card-changes.test.ts')
const wrong = testsIn('test/http/wrong-fields.test.ts')
const codes = testsIn('test/http/error-codes.test.ts')

const NOT_FOUND = missing('resource.card.not-found')
const EACH_CODE = codes('%s is what a request can be answered with')

export const CARDS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/cards',
    outcomes: [
      succeeds('the card, without its number', cards('comes back with all that may be known of it')),
      succeeds('in live, any card', cards('of a live project is any card, described by its first digits')),
      fails('card.invalid-number', 'the number fails its check digit', EACH_CODE),
      fails('card.invalid-expiry-month', 'there is no such month', EACH_CODE),
      fails('card.invalid-expiry-year', 'the year is none, or past', EACH_CODE),
      fails('card.invalid-cvc', 'the security code is none', EACH_CODE),
      fails('card.invalid-name', 'the name is too long', EACH_CODE),
      fails('request.validation.invalid-scheme', 'the preferred scheme is none', EACH_CODE),
      fails('sandbox.not-supported', 'in the sandbox, a card that is no test card', EACH_CODE),
      fails(
        'request.validation.invalid-country',
        'a field of the holder is wrong',
        cards('is refused for contact.country_code: %j'),
      ),
      UNKNOWN_FIELD,
      fails(
        'request.validation.error',
        'several fields are wrong: each is named',
        wrong('everything that is wrong at once'),
      ),
      ...MUTATION,
    ],
  },
  { method: 'GET', path: '/cards', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/cards/:id',
    outcomes: [
      succeeds('the card, without its number', cards('comes back with all that may be known of it')),
      fails(
        'resource.card.not-found',
        'it was deleted',
        changes('is not found any more, and cannot be stored or changed'),
      ),
      ...READING,
      ...NOT_FOUND,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/cards/:id',
    outcomes: [
      succeeds('what is named is changed', changes('keeps what is not named or null')),
      succeeds(
        'a new security code, sealed',
        changes('takes a security code in the place of the one before, sealed, and tells that it did'),
      ),
      succeeds('the event `card.updated`', changes('fires its event')),
      fails('card.invalid-cvc', 'a field is wrong', changes('does not take %j')),
      fails(
        'resource.card.not-found',
        'it was deleted',
        changes('is not found any more, and cannot be stored or changed'),
      ),
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
      succeeds(
        'number, code and holder are erased',
        changes('leaves neither number nor code nor holder, and a row for the books'),
      ),
      succeeds('with the token that it became', changes('takes its token with it')),
      ...MUTATION,
      ...NOT_FOUND,
    ],
  },
  {
    method: 'GET',
    path: '/iins/:iin',
    outcomes: [
      succeeds('scheme, type and country', cards('%s are known')),
      fails('resource.card.not-found', 'no card begins with these digits', cards('%s are known of none')),
      ...READING,
    ],
  },
]
