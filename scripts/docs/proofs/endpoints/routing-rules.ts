import { testsIn } from '../proof.ts'
import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const rules = testsIn('test/http/routing-rules.test.ts')
const explanation = testsIn('test/http/routing-explanation.test.ts')

const NO_RULE_SET = missing('resource.rule-set.not-found')
const DECIDES = rules('decides at once, and is told as it was written and as it was read')
const ROLL_BACK = rules('is replaced by the next one, and decides again after a roll-back')

export const ROUTING_RULES: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/routing-rules',
    outcomes: [
      succeeds('the next version, which decides from the next payment on', DECIDES),
      succeeds(
        'with `activate` false: it decides nothing yet',
        rules('does not decide where activate is false, in JSON and in a form'),
      ),
      succeeds('of rules as they are told', rules('comes back as it was told, and is the same rules')),
      succeeds('by many at once: versions without a gap', rules('is one after fifty requests at once, without a gap')),
      fails(
        'request.validation.error',
        'the rules cannot be read; each mistake with its line and column, or its path',
        rules('with several mistakes that can be told at once, in the order of the text'),
      ),
      fails(
        'request.validation.error',
        'they name a gateway that the project does not have; the answer names the nearest one',
        rules(
          'that name a gateway of nobody, of another project or of the other environment; the nearest one is named',
        ),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/routing-rules',
    outcomes: [
      succeeds('the version that decides, with its text and its rules', DECIDES),
      succeeds('null where none does', ROLL_BACK),
      ...READING,
      EXPANSION,
      OWN_ROWS_ONLY,
    ],
  },
  {
    method: 'DELETE',
    path: '/routing-rules',
    outcomes: [succeeds('no version decides any more; all of them stay', ROLL_BACK), ...MUTATION],
  },
  {
    method: 'POST',
    path: '/routing-rules/explain',
    outcomes: [
      succeeds(
        'the rule that decides, the others, and why',
        explanation('tells the rule that decides, the ones that did not, and why'),
      ),
      succeeds(
        'of a payment that is made up',
        explanation('of a payment that is made up looks at what is said of it, and at nothing else'),
      ),
      succeeds(
        'that it is blocked, and by which rule',
        explanation('says of a payment that is blocked by which rule, and that no gateway is looked for'),
      ),
      succeeds(
        'which gateways cannot take it, and why',
        explanation('says of gateways that cannot take the payment why, and what it fails with'),
      ),
      succeeds('and changes nothing', explanation('changes nothing, and sends nothing')),
      fails('request.validation.error', 'the payment is missing, or said twice', explanation('of nothing is refused')),
      fails(
        'resource.invoice.not-found',
        'the invoice is of somebody else',
        explanation('is of nobody else’s invoice, card or rules'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/rule-sets',
    outcomes: [
      succeeds(
        'every version, without its rules',
        rules('is in the list without its rules, the newest first, and the one that decides says so'),
      ),
      ...LIST,
      OWN_ROWS_ONLY,
    ],
  },
  {
    method: 'GET',
    path: '/rule-sets/:id',
    outcomes: [succeeds('the version, whether or not it decides', DECIDES), ...READING, ...NO_RULE_SET, EXPANSION],
  },
  {
    method: 'POST',
    path: '/rule-sets/:id/activate',
    outcomes: [
      succeeds('it decides from the next payment on', ROLL_BACK),
      succeeds(
        'again: nothing changes',
        rules('that decides already is activated without a change, and without an act'),
      ),
      ...MUTATION,
      ...NO_RULE_SET,
    ],
  },
]
