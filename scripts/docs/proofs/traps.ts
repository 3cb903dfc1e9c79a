import type { Claim } from './claim.ts'
import { testsIn } from './proof.ts'

const captures = testsIn('test/journeys/captures.test.ts')
const payment = testsIn('test/journeys/payment.test.ts')
const races = testsIn('test/journeys/races.test.ts')
const repeats = testsIn('test/journeys/idempotency.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const resolution = testsIn('test/journeys/resolution.test.ts')
const sources = testsIn('test/journeys/sources.test.ts')
const refunds = testsIn('test/journeys/refunds.test.ts')
const money = testsIn('test/journeys/traps/money.test.ts')
const notices = testsIn('test/journeys/traps/notices.test.ts')
const cards = testsIn('test/journeys/traps/cards.test.ts')
const silence = testsIn('test/journeys/traps/silence.test.ts')
const steps = testsIn('test/activities/run-step.test.ts')
const lookUps = testsIn('test/activities/look-up.test.ts')
const mismatches = testsIn('test/activities/amount-mismatch.test.ts')
const pairs = testsIn('test/activities/races.test.ts')
const deadlines = testsIn('test/activities/races-deadlines.test.ts')
const retries = testsIn('test/activities/races-retries.test.ts')
const books = testsIn('test/persistence/constraints/payments.test.ts')
const ownership = testsIn('test/persistence/constraints/ownership.test.ts')
const instants = testsIn('test/http/auto-capture-instants.test.ts')
const everywhere = testsIn('test/http/every-endpoint.test.ts')
const clientPayments = testsIn('test/http/clients/payments.test.ts')
const clientCommands = testsIn('test/activities/client-commands.test.ts')
const clientViews = testsIn('test/http/clients/views.test.ts')
const due = testsIn('test/domain/payment-due.test.ts')
const decision = testsIn('test/domain/decision.test.ts')
const amounts = testsIn('test/domain/money.test.ts')
const adviceSteps = testsIn('test/activities/merchant-advice.test.ts')
const webhooks = testsIn('test/workflows/webhook.test.ts')

/** What commonly goes wrong in a service that takes payments, and what keeps it from going wrong here. */
export const TRAPS: readonly Claim[] = [
  {
    about: 'Two captures at once',
    says: 'The workflow of a payment carries its commands out one after the other, and each step reserves its amount under the row lock before the gateway is asked. What was not authorized cannot be captured, whoever asks.',
    proofs: [
      payment('captured by many requests at once is captured once'),
      races('%s and %s keep the same books as the gateway'),
      pairs('two captures never take more than is held, and never a line twice'),
      deadlines('the scheduled capture and another step take the money once'),
      books('captures of more than was authorized'),
      books('a capture under way beside what is captured already'),
    ],
  },
  {
    about: 'The same request twice',
    says: 'With an idempotency key the second request gets the bytes of the first. Without one, a wish that is fulfilled already is answered and nothing is done; what is about a part is done twice, so parts should have a key.',
    proofs: [
      repeats('a hundred equal authorizations at once are one call of the gateway and one answer'),
      repeats('equal captures of a part are one call of the gateway and one answer'),
      repeats('a decline comes again without asking the bank again; another card needs another key'),
      silence('is done once where its wish is fulfilled already'),
      silence('is done twice where it is about a part: %s'),
      retries('one request that comes twice without a key takes the money once'),
    ],
  },
  {
    about: 'A lost answer of the gateway',
    says: 'The outcome is unknown: neither failed nor sent anywhere else. It is looked up by our reference, which was committed before the call, until the gateway tells; staff find those that it never tells.',
    proofs: [
      unknown('leaves an authorization pending, never failed, until it is looked up and found approved'),
      unknown('that never tells leaves the payment pending: nothing is sent again, nothing is refused as failed'),
      unknown('leaves a capture pending until it is found done, and captures once'),
      steps('after the gateway did it, but before that was booked, books what the gateway did and does not ask again'),
      lookUps('of a gateway that never saw the reference sends nothing again unless references are idempotent there'),
      resolution('of void-lost is never asked for twice'),
      resolution('is found by support staff when no look-up has told it for days, and is settled by them'),
    ],
  },
  {
    about: 'A success that comes too late',
    says: 'An approval of an attempt that was given up is recorded beside the books and voided at the gateway; the payment stands on what came after.',
    proofs: [
      resolution('closed as declined lets another card pay, and is given back when it turns out approved'),
      testsIn('test/domain/orphan.test.ts')(
        'is released at once, also while another one, which may be at another gateway, is not released yet',
      ),
    ],
  },
  {
    about: 'A client that hangs up',
    says: 'What has begun goes on without anybody waiting. Asking again tells what became of it, and charges nothing.',
    proofs: [silence('has its payment all the same, and is told of it when it asks again')],
  },
  {
    about: 'A capture at the end of an authorization',
    says: 'Both go through the same line, judged by the instant at which they were due. The last instant still counts, and at equal instants the capture runs first. A capture in flight holds the end back until its outcome is known.',
    proofs: [
      decision('a capture runs at the last instant of the authorization, and is expired a millisecond later'),
      due('is due also at the very instant at which the authorization ends'),
      silence('holds the end of its authorization back until it is known'),
      deadlines('the end of an authorization and a capture never both have its money'),
    ],
  },
  {
    about: 'A void beside a capture',
    says: 'While a capture is pending or unknown there is no void; once it is done there is a refund.',
    proofs: [
      silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
      pairs('a capture and a void never both have the same money'),
      books('a capture and a void of more than was authorized, together'),
    ],
  },
  {
    about: 'A scheduled capture in local time',
    says: '`auto_capture_at` must carry its offset and is converted by it; the past and what lies after the end of the authorization are refused.',
    proofs: [
      instants('is converted by its offset and never stripped of it: %s'),
      instants('is refused %s'),
      payment('is captured at auto_capture_at, not a second earlier, for the amount asked'),
    ],
  },
  {
    about: 'An increment that is repeated',
    says: 'The interface adds, the gateway is told the total, and both are on the attempt before the call, so that no repetition adds twice. Increments at once are added one after the other, ten at most.',
    proofs: [
      unknown('adds an increment once'),
      silence('that comes beside another one is added to it, and the gateway is told the total'),
      repeats('equal increments are one call of the gateway and one answer'),
      pairs('an increment and a capture agree on what there is to be taken'),
      decision('an eleventh increment'),
    ],
  },
  {
    about: 'Notices of a gateway, twice or out of order',
    says: 'A notice is kept once by its id and its account, and booked in the line of its payment. The end of a dispute stands, whichever step arrives last.',
    proofs: [
      testsIn('test/activities/notification-orders.test.ts')(
        'what a gateway tells ends the same in any order and any number of times',
      ),
      testsIn('test/http/gateway-notifications.test.ts')('that comes a hundred times at once has one effect'),
      notices('ten times at once is booked and told once'),
      notices('of a refund that has failed takes its money back once'),
      notices('%s before the chargeback was created ends %s all the same'),
      notices('before anything was paid wait for the payment'),
      notices('a notice of an account that the invoice does not belong to is nobody’s'),
      ownership('the same notice of a gateway twice'),
    ],
  },
  {
    about: 'A webhook without its state, or a state without its webhook',
    says: 'Event and delivery are rows of the same commit as what they tell of; whoever starts their workflow may die and is followed by another.',
    proofs: [
      steps('tells whoever waits only after the outcome is committed'),
      steps('announces the events that nobody has begun to deliver'),
      lookUps('announces what it has booked also when it ended between the two and is run again'),
      ownership('a second delivery to the same target'),
      webhooks('is not sent again by a run that starts after the first was forgotten'),
    ],
  },
  {
    about: 'Decimal amounts',
    says: 'Amounts are decimal texts, read digit by digit into whole minor units. JSON numbers, signs, exponents and separators are refused, and nothing is rounded.',
    proofs: [
      money('that is written as %j is refused wherever money is named, and moves none'),
      money('adds up to the cent where fractions of a computer would not'),
      amounts('reads %s as the digits say, where binary fractions would not'),
      amounts('never gives anything but null or a safe integer that is not negative, whatever the text'),
    ],
  },
  {
    about: 'Currencies without cents, or with more',
    says: 'Every currency has the digits of ISO 4217, from the request to the gateway and back.',
    proofs: [
      money('%s keeps its own number of decimals all the way to the gateway and back'),
      money('%s is exact up to the largest amount, %s'),
      amounts('%d decimals: %s'),
      amounts('refuses %s %s, which is no whole number of minor units, and rounds nothing'),
    ],
  },
  {
    about: 'Rounding by lines',
    says: 'A line costs a whole number of minor units; what is captured by lines is exactly what they come to, and each line is taken once.',
    proofs: [
      money('never happens: lines are whole minor units, and their captures and refunds add up to the invoice'),
      money('is no excuse: an amount beside lines must be what they come to'),
      captures('by lines take what the lines come to, each line once'),
    ],
  },
  {
    about: 'A gateway that approves something else',
    says: 'Amount and currency of every approval are compared with what was asked. Anything else is an unknown outcome; only an authorization of less is a partial approval, which is given back unless the project takes those.',
    proofs: [
      mismatches('is none, but an outcome to be looked up: %s'),
      mismatches('%s never makes a payment authorized'),
      lookUps('that goes on finding an approval of another amount is no news, and tells nobody twice'),
      sources('an approval of a part is declined and the part given back, unless the project takes parts'),
    ],
  },
  {
    about: 'A page that was tampered with',
    says: 'What a page sends, anybody can send who has seen the page. It cannot name another amount, override a rule of the networks, capture what was authorized or charge a stored source without the client secret; and it is shown little.',
    proofs: [
      clientPayments('may not send %s'),
      clientPayments('captures no invoice that requires a backend capture, by %s of %s'),
      clientPayments('is needed by a client that names %s'),
      clientCommands('does not charge a card that was stored meanwhile, without the client secret'),
      clientViews('sees of a full invoice what is to be paid, and nothing else of it'),
      testsIn('test/presenters/client-view.test.ts')('of %s has nothing that is the merchant’s'),
    ],
  },
  {
    about: 'A card used twice',
    says: 'A card is claimed for its invoice in the transaction that begins the attempt. A decline leaves it to that invoice, and to no other.',
    proofs: [
      cards('given for twenty invoices at once pays one of them'),
      cards('that was declined is good for its invoice only'),
      races('a card given for two invoices pays one of them'),
      testsIn('test/http/tokens.test.ts')('of two who want it at once goes to one'),
    ],
  },
  {
    about: 'Security codes that stay',
    says: 'A security code is sealed beside the card, for an hour at most, and deleted with the first outcome. It is in no history, log, event or answer.',
    proofs: [
      cards('is gone with the first outcome, which is %s'),
      cards('is kept while the outcome is not known, and gone as soon as it is'),
      testsIn('test/processes/deletions.test.ts')(
        'goes when its own time is over, and a while before it is still there',
      ),
      testsIn('test/replay/replay.test.ts')('$version $name holds no card data'),
      testsIn('test/support/stack.test.ts')('finds card data in its log, in a row, in an answer and in a history'),
    ],
  },
  {
    about: 'Refunds at once',
    says: 'A refund reserves its amount under the row lock before the gateway is asked. Of a capture that is not known there is none.',
    proofs: [
      refunds('that are confirmed later hold their amount back meanwhile, and succeed or fail then'),
      retries('two refunds never give back more than was taken, and never a line twice'),
      repeats('equal refunds of a part are one call of the gateway and one refund'),
      silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
      books('a refund of more than was captured'),
      books('a refund under way beside what is refunded already'),
    ],
  },
  {
    about: 'A card that must not be tried again',
    says: 'The block is in the commit of the decline. Two invoices at the same moment may both be sent, once; what may have been sent already is never judged by it.',
    proofs: [
      adviceSteps('is recorded in the database transaction of its result, or not at all'),
      testsIn('test/persistence/mac-blocks.test.ts')('is one, also where many declines set it at once'),
      testsIn('test/journeys/merchant-advice.test.ts')(
        'two invoices at once may both be sent, once: the block comes with the first answer',
      ),
      adviceSteps('and is approved late, after another was told not to try again, is approved, and lifts no block'),
    ],
  },
  {
    about: 'Ids that are guessed',
    says: 'Every look-up is within a project and an environment; what belongs to somebody else is not there. The tables refuse rows that refer to another project’s.',
    proofs: [
      everywhere('%s %s of an object that is not there is 404'),
      everywhere('%s %s of an object of another project is 404'),
      everywhere('%s %s shows nothing of another project'),
      testsIn('test/http/events.test.ts')('is not found by another project, nor under an id that is none'),
      ownership('an event of a transaction of another project'),
    ],
  },
  {
    about: 'A slow receiver of webhooks',
    says: 'Each target has its own delivery and its own waiting; a slow one delays neither payments nor other targets, and is given up after three days.',
    proofs: [
      webhooks('do not wait for each other, and a slow one does not delay the other'),
      webhooks('gets thirteen attempts inside the rows of the table over three days, then is abandoned'),
      webhooks('runs outside the workflow task only while the host has not accepted what it got last'),
    ],
  },
]
