import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const NO_RULE_SET = missing('resource.rule-set.not-found')

export const ROUTING_RULES: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/routing-rules',
    outcomes: [
      succeeds('the next version, which decides from the next payment on'),
      succeeds('with `activate` false: it decides nothing yet'),
      succeeds('of rules as they are told'),
      succeeds('by many at once: versions without a gap'),
      fails('request.validation.error', 'the rules cannot be read; each mistake with its line and column, or its path'),
      fails(
        'request.validation.error',
        'they name a gateway that the project does not have; the answer names the nearest one',
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/routing-rules',
    outcomes: [
      succeeds('the version that decides, with its text and its rules'),
      succeeds('null where none does'),
      ...READING,
      EXPANSION,
      OWN_ROWS_ONLY,
    ],
  },
  {
    method: 'DELETE',
    path: '/routing-rules',
    outcomes: [succeeds('no version decides any more; all of them stay'), ...MUTATION],
  },
  {
    method: 'POST',
    path: '/routing-rules/explain',
    outcomes: [
      succeeds('the rule that decides, the others, and why'),
      succeeds('of a payment that is made up'),
      succeeds('that it is blocked, and by which rule'),
      succeeds('which gateways cannot take it, and why'),
      succeeds('and changes nothing'),
      fails('request.validation.error', 'the payment is missing, or said twice'),
      fails('resource.invoice.not-found', 'the invoice is of somebody else'),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/rule-sets',
    outcomes: [succeeds('every version, without its rules'), ...LIST, OWN_ROWS_ONLY],
  },
  {
    method: 'GET',
    path: '/rule-sets/:id',
    outcomes: [succeeds('the version, whether or not it decides'), ...READING, ...NO_RULE_SET, EXPANSION],
  },
  {
    method: 'POST',
    path: '/rule-sets/:id/activate',
    outcomes: [
      succeeds('it decides from the next payment on'),
      succeeds('again: nothing changes'),
      ...MUTATION,
      ...NO_RULE_SET,
    ],
  },
]
