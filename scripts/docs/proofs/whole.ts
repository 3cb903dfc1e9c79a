import type { Claim } from './claim.ts'
import { testsIn } from './proof.ts'

const stories = testsIn('test/journeys/races.test.ts')
const pairs = testsIn('test/activities/races.test.ts')
const deadlines = testsIn('test/activities/races-deadlines.test.ts')
const retries = testsIn('test/activities/races-retries.test.ts')

/** What is shown of the whole, and not of one of its parts. */
export const WHOLE: readonly Claim[] = [
  {
    about: 'Any sequence of steps, with any answers',
    says: 'Random stories of commands, declines, lost answers, notices and the hands of staff, beside a simple model of the books.',
    proofs: [
      testsIn('test/domain/payment-model.test.ts')(
        'no money is made, lost, taken twice or held for ever, and the payment agrees with its books',
      ),
    ],
  },
  {
    about: 'Any two steps at once',
    says: 'Races of every pair on a real database, hundreds of times; afterwards our books are those of the gateway, and the seed of a failure is printed.',
    proofs: [
      pairs('two captures never take more than is held, and never a line twice'),
      pairs('a capture and a void never both have the same money'),
      pairs('an increment and a capture agree on what there is to be taken'),
      deadlines('the scheduled capture and another step take the money once'),
      deadlines('the end of an authorization and a capture never both have its money'),
      retries('two refunds never give back more than was taken, and never a line twice'),
      retries('one step that two workers do at once is done once'),
      stories('%s and %s keep the same books as the gateway'),
    ],
  },
  {
    about: 'Any step that dies',
    says: 'Whoever runs a step again finds how far it came, and goes on from there.',
    proofs: [
      testsIn('test/activities/run-step.test.ts')('by twenty workers at once is done once'),
      testsIn('test/workflows/payment-faults.test.ts')(
        'takes its money once where a step is tried again while its first try still runs',
      ),
      testsIn('test/journeys/restart.test.ts')(
        'captures at its auto_capture_at, once, what was authorized before everything was killed',
      ),
    ],
  },
  {
    about: 'Any code',
    says: 'Every error code is what some request is answered with, or what a payment fails with.',
    proofs: [
      testsIn('test/http/error-codes.test.ts')('%s is what a request can be answered with'),
      testsIn('test/http/error-codes.test.ts')(
        'fails with 410 for every code that a gateway can give, and its transaction keeps the code',
      ),
    ],
  },
  {
    about: 'Any move that is not allowed',
    says: 'The state machine is a table; what is not in it is refused, and the amounts are held by the database as well.',
    proofs: [
      testsIn('test/domain/transaction.test.ts')('a transaction that is $from cannot take $trigger'),
      testsIn('test/persistence/constraints/payments.test.ts')('all three, together'),
      testsIn('test/persistence/constraints/payments.test.ts')('a negative %s'),
    ],
  },
  {
    about: 'What is kept for a time only',
    says: 'It goes when its time is over, in batches, and nothing goes that anybody still needs.',
    proofs: [
      testsIn('test/processes/deletions.test.ts')(
        'is, of webhooks, each try; events, deliveries and the tries of those that still wait are not',
      ),
      testsIn('test/persistence/erase-card-numbers.test.ts')(
        'while an outcome of its payment is not known, however old it is',
      ),
      testsIn('test/persistence/erase-card-numbers.test.ts')('where a token stands for it'),
    ],
  },
  {
    about: 'The emergency stop',
    says: 'A suspended project moves no money and its scheduled captures are held; a drained gateway takes nothing new.',
    proofs: [
      testsIn('test/journeys/suspension.test.ts')(
        'has its scheduled capture held over its instant, and made after it is resumed',
      ),
      testsIn('test/journeys/suspension.test.ts')(
        'has its authorization voided at its end where the capture was held until then',
      ),
      testsIn('test/activities/suspension.test.ts')('is refused before it leaves a row, whatever money it would move'),
      testsIn('test/activities/draining.test.ts')('takes no new authorization: the next one does'),
      testsIn('test/activities/draining.test.ts')('goes on with what is there, and counts it until it is done'),
    ],
  },
]
