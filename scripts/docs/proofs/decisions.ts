import type { Claim } from './claim.ts'
import { testsIn } from './proof.ts'

const names = testsIn('test/journeys/names.test.ts')
const payment = testsIn('test/journeys/payment.test.ts')
const refunds = testsIn('test/journeys/refunds.test.ts')
const sources = testsIn('test/journeys/sources.test.ts')
const resolution = testsIn('test/journeys/resolution.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const processes = testsIn('test/journeys/apart.test.ts')
const repeats = testsIn('test/journeys/idempotency.test.ts')
const silence = testsIn('test/journeys/traps/silence.test.ts')
const money = testsIn('test/journeys/traps/money.test.ts')
const faults = testsIn('test/workflows/payment-faults.test.ts')
const webhooks = testsIn('test/workflows/webhook.test.ts')
const takeover = testsIn('test/workflows/webhook-takeover.test.ts')
const fired = testsIn('test/persistence/fire-events.test.ts')
const toEndpoint = testsIn('test/activities/deliver-to-endpoint.test.ts')
const health = testsIn('test/activities/endpoint-health.test.ts')
const backoff = testsIn('test/domain/backoff.test.ts')
const ssrf = testsIn('test/webhooks/ssrf.test.ts')
const steps = testsIn('test/activities/run-step.test.ts')
const lookUps = testsIn('test/activities/look-up.test.ts')
const withdrawn = testsIn('test/activities/withdrawn-command.test.ts')
const temporal = testsIn('test/embedded/temporal-server.test.ts')
const architecture = testsIn('test/architecture.test.ts')
const authentication = testsIn('test/http/authentication.test.ts')
const answers = testsIn('test/http/payments.test.ts')
const plan = testsIn('test/http/plan.test.ts')
const invoices = testsIn('test/http/invoices.test.ts')
const keys = testsIn('test/http/idempotency-mutations.test.ts')
const underWay = testsIn('test/http/idempotency-under-way.test.ts')
const unreadable = testsIn('test/http/unreadable-body.test.ts')
const filters = testsIn('test/http/list-filters.test.ts')
const ownership = testsIn('test/persistence/constraints/ownership.test.ts')
const projects = testsIn('test/persistence/create-project.test.ts')
const events = testsIn('test/persistence/list-events.test.ts')
const decision = testsIn('test/domain/decision.test.ts')
const due = testsIn('test/domain/payment-due.test.ts')
const stories = testsIn('test/domain/payment-stories.test.ts')
const outcomes = testsIn('test/domain/payment-outcomes.test.ts')
const amounts = testsIn('test/domain/money.test.ts')
const clients = testsIn('test/http/clients/authentication.test.ts')
const clientPayments = testsIn('test/http/clients/payments.test.ts')
const vault = testsIn('test/vault/vault.test.ts')
const limits = testsIn('test/http/rate-limits.test.ts')
const bucket = testsIn('test/rate-limit/take-requests.test.ts')
const clientLimits = testsIn('test/http/rate-limit-clients.test.ts')
const accounts = testsIn('test/http/gateway-configurations.test.ts')
const rotation = testsIn('test/scripts/rotation.test.ts')
const deletions = testsIn('test/processes/deletions.test.ts')
const advice = testsIn('test/journeys/merchant-advice.test.ts')
const adviceSteps = testsIn('test/activities/merchant-advice.test.ts')
const macBlocks = testsIn('test/persistence/mac-blocks.test.ts')
const audit = testsIn('test/persistence/audit.test.ts')
const verified = testsIn('test/audit/verify.test.ts')
const seals = testsIn('test/processes/audit-seal.test.ts')

/** What was decided where it could have been otherwise; the numbers are those of the rows. */
export const DECISIONS: readonly Claim[] = [
  {
    about: 'Names in Temporal',
    says: 'Workflows `paymentWorkflow` and `webhookWorkflow`, named by invoice and event; updates `authorize`, `capture`, `increment`, `void`, `refund`, `settle`; queues `payments` and `webhooks`.',
    proofs: [
      names('find a payment and its webhooks by the ids that the merchant knows'),
      names('read in a history what was asked for, by name'),
    ],
  },
  {
    about: 'A run lives as long as something is awaited',
    says: 'Then it closes, and the next command starts another one, which takes the payment from PostgreSQL.',
    proofs: [
      payment('has a closed run once nothing is awaited, and answers from the record afterwards'),
      faults('that is just ending neither loses nor begins a command'),
      faults('whose run was terminated is taken up by the next command'),
      refunds('months later find their payment, though its workflow was forgotten long ago'),
    ],
  },
  {
    about: 'Webhooks are delivered by one run',
    says: 'A second start of the same event is refused, and a mark in PostgreSQL outlives the run.',
    proofs: [
      webhooks('is not sent again by a run that starts after the first was forgotten'),
      webhooks('is not made again by a run that starts in the middle of the schedule'),
      ownership('the same delivery attempt twice'),
    ],
  },
  {
    about: 'Ids of commands and references',
    says: 'A command is named by a hash of its idempotency key, or by its operation. The gateway knows it by the id of the attempt, which is committed before the call.',
    proofs: [
      names('is named by its operation, under which the gateway knows it as well'),
      names('that came with an idempotency key is named by a hash of the key, whatever operation it would be'),
      steps('after its attempt was written, but before the gateway heard of it, asks the gateway once'),
    ],
  },
  {
    about: 'Commands have a deadline',
    says: 'What has not begun within 60 s never begins. A request waits 30 s: then the answer is pending where a call has begun, and 503 where nothing has.',
    proofs: [
      plan('a command ends a minute after its request'),
      steps('that is too late to begin is refused, and leaves no trace'),
      answers('that nobody gives is pending where the attempt is written'),
      answers('that nobody gives is 503 where nothing has begun'),
      withdrawn('either begins or is withdrawn, when both are tried at once'),
    ],
  },
  {
    about: 'Money is asked for once',
    says: 'A call that moves money has one attempt. It is looked up by reference, and sent again only where the gateway never saw the reference and promises that references are idempotent.',
    proofs: [
      lookUps('of a gateway that never saw the reference sends nothing again unless references are idempotent there'),
      unknown('that never tells leaves the payment pending: nothing is sent again, nothing is refused as failed'),
      resolution('of capture-never-resolved is never asked for twice'),
    ],
  },
  {
    about: 'One list of search attributes',
    says: 'Payments and webhooks are found by ids, states and amounts, and by nothing personal.',
    proofs: [
      names('find a payment by what it is about, and by how it stands'),
      temporal('gets the namespaces and search attributes that it lacks, and keeps its retention'),
    ],
  },
  {
    about: 'Namespaces `live` and `sandbox`',
    says: 'Each environment has its own; what we create keeps closed runs for 30 days. Only tests skip time, and only in the sandbox.',
    proofs: [
      temporal('keeps workflows over a stop, and closed ones for 30 days'),
      temporal('gets the namespaces and search attributes that it lacks, and keeps its retention'),
      names('is skipped by tests only, for one workflow of the sandbox'),
    ],
  },
  {
    about: 'Deadlines are workflow time, without a margin',
    says: 'Captures run up to and including the last instant, before the end at the same instant. A scheduled instant that passed before the approval was known is due at once.',
    proofs: [
      decision('a capture runs at the last instant of the authorization, and is expired a millisecond later'),
      due('is due also at the very instant at which the authorization ends'),
      stories('runs, judged by the instant at which it was due, and before the end of the authorization'),
      silence('is captured at once where the instant of its capture has passed meanwhile'),
    ],
  },
  {
    about: 'Who may import whom',
    says: 'The rooms and their imports are a table that the checker enforces.',
    proofs: [
      architecture('keeps every import rule'),
      architecture('$rule catches $file'),
      architecture('loads nothing but domain and the Temporal library into workflows'),
    ],
  },
  {
    about: 'Many equal processes, or parted ones',
    says: 'API and worker run in one process, where payments start eagerly, or in several, where commands travel as updates. Every story is told both ways.',
    proofs: [
      processes('take a payment over given servers, for a project that an operator made, and stop cleanly'),
      payment('is captured whole, and captured again charges nothing'),
      architecture('loads no activity, no gateway adapter and no embedded server into the API process'),
    ],
  },
  {
    about: 'What `authorize` and `capture` do by default',
    says: '`authorize` captures only with an explicit `authorize_only` false, `capture` always but with true. With an instant neither captures at once; on an authorized payment `capture` moves the instant, and drops it with null.',
    proofs: [
      plan('authorize authorizes'),
      plan('authorize with authorize_only false is a sale'),
      plan('capture is a sale'),
      plan('capture with authorize_only true authorizes'),
      plan('capture with an instant captures nothing at once'),
      plan('capture with an instant schedules'),
      plan('null for the instant drops the scheduled capture, and captures nothing'),
    ],
  },
  {
    about: 'Fields that nobody knows',
    says: 'Null is ignored; a value is refused with the nearest name. A few fields of other services are known and do nothing.',
    proofs: [
      unreadable('refuses a field that is unknown, and names the nearest one'),
      invoices('takes null for what is not given, in known and in unknown fields'),
      invoices('takes the fields that are known to have no effect, and those that ask for nothing'),
    ],
  },
  {
    about: 'Sources',
    says: 'A card is good for its invoice, unless it was saved to a customer: then it stands for its token.',
    proofs: [
      sources('a card pays one invoice, and no other'),
      sources('a token pays again and again, under its own id, its card and its customer'),
      sources('a card is saved when its payment is approved, and only then'),
    ],
  },
  {
    about: 'Calls without a secret',
    says: 'A project id with an empty password places a payment on an invoice. It captures, increments and voids nothing that is authorized, unless the project allows the first two.',
    proofs: [
      clients('may not call %s %s'),
      clients('may call what client libraries call, and nothing else'),
      clientPayments('is not touched by a client: %s %j'),
      clientPayments('is captured, scheduled and raised by a client'),
      testsIn('test/activities/client-commands.test.ts')(
        'captures nothing that another command has authorized, and what it has authorized itself',
      ),
      testsIn('test/journeys/client-calls.test.ts')('captures nothing that the merchant authorizes at the same moment'),
    ],
  },
  {
    about: 'Environments',
    says: 'The secret decides, and a prefix may say the same. All tables, keys and references are within project and environment; the simulator takes no live money and no cards but its own.',
    proofs: [
      authentication('acts in the sandbox: %s'),
      authentication('in one environment does not see the other'),
      ownership('a transaction of an invoice of the other environment'),
      ownership('the simulator as the gateway of live payments'),
      projects('a live project has a live key and no gateway'),
      testsIn('test/http/cards.test.ts')('of a live project is any card, described by its first digits'),
    ],
  },
  {
    about: 'After the end',
    says: 'A capture of a failed payment needs a source, of a voided one is refused, of an expired one has expired. A pending capture that fails after the end leaves the payment voided.',
    proofs: [
      decision('a capture of a failed payment'),
      payment('is voided, and then neither captured nor authorized again'),
      payment('is voided when seven days have passed, and not before'),
      silence('holds the end of its authorization back until it is known'),
      stories('ends voided where it fails'),
    ],
  },
  {
    about: '`waiting` is not `pending`',
    says: 'A payment waits while the gateway is asked, and is pending only where the outcome is late or unknown: only then `invoice.pending` is told.',
    proofs: [
      payment('is authorized, and its transaction says so everywhere'),
      testsIn('test/domain/transaction.test.ts')('say once that an authorization is awaited, and that an invoice is'),
      outcomes('that is unknown reserves nothing yet, and keeps its schedule for when it is known'),
    ],
  },
  {
    about: 'A closed or busy workflow',
    says: 'Closed: a new run. Refused by the validator: 400. Too many updates in flight: 409.',
    proofs: [
      faults('answers the same command sent again after its run has ended with what it did then'),
      payment('captured by many requests at once is captured once'),
      payment('is never captured above what is authorized'),
    ],
  },
  {
    about: 'Idempotency keys',
    says: 'A key is claimed with the attempt and completed with the outcome, in their database transactions. A duplicate waits 5 s and is then 409; another body is 400.',
    proofs: [
      testsIn('test/activities/idempotency.test.ts')(
        'claims it with the attempt and keeps the answer with the outcome',
      ),
      testsIn('test/activities/idempotency.test.ts')('leaves the key free where it is refused'),
      keys('a second one is sent away after 5 seconds, and may come again'),
      underWay('the same one is sent away after 5 seconds, asks nothing, and may come again'),
      keys('is refused with another value, and the first answer stays'),
      repeats('a hundred equal authorizations at once are one call of the gateway and one answer'),
      deletions('goes when its own time is over, and a while before it is still there'),
    ],
  },
  {
    about: 'Secrets',
    says: 'A client secret is derived from its invoice and told on create and retrieve only. Secret keys are kept as keyed hashes.',
    proofs: [
      vault('is always the same for its invoice, and has 256 bits'),
      invoices('keeps everything that a merchant says of it'),
      clientPayments('is told to the merchant, and never to a client'),
      projects('a secret key is stored nowhere'),
      vault('fits no secret under another key'),
    ],
  },
  {
    about: 'Amounts',
    says: 'Up to eleven digits and four decimals, as texts; whole minor units with their currency in the database.',
    proofs: [
      amounts('refuses %s'),
      amounts('prints what parseAmount reads back, in every exponent, up to the largest amount'),
      money('%s is exact up to the largest amount, %s'),
    ],
  },
  {
    about: 'Filters',
    says: '`filter=field:value`, as often as needed, all must hold; instants and numbers compare by `>=` and `<`.',
    proofs: [
      filters('of $path by $name finds what has the value, and nothing else'),
      filters('may be repeated, and then all must hold'),
      filters('"%s" is refused with the reason'),
    ],
  },
  {
    about: 'Whoever reads events misses none',
    says: 'A list shows an event only once no older transaction can commit one before it.',
    proofs: [
      events('shows no event while an older transaction could still commit one before it'),
      testsIn('test/http/events.test.ts')('can be read to its end, each event once'),
    ],
  },
  {
    about: 'Outcomes of a gateway call',
    says: 'Approved, declined, action required, pending, unknown; what is no certain answer is unknown.',
    proofs: [
      steps('by throwing leaves the outcome unknown'),
      testsIn('test/gateways/contract/invented-answers.ts')(
        'a status that nobody has heard of is unknown, for every step',
      ),
      testsIn('test/gateways/contract/uncertainty.ts')('a call whose wait has ended is unknown, never a success'),
      testsIn('test/domain/command.test.ts')('an outcome that is not final is never answered as done, nor as declined'),
    ],
  },
  {
    about: 'Disputes belong to the payment',
    says: 'Chargebacks, requests for evidence and fraud notices are states, operations and events.',
    proofs: [
      refunds('a chargeback is told, and its money is neither refunded nor captured'),
      refunds('a chargeback that the merchant wins is solved, one that is lost reversed'),
      refunds('a retrieval request and a fraud notice are told and can be refunded'),
      testsIn('test/domain/dispute.test.ts')('ends the same in whatever order its steps arrive'),
    ],
  },
  {
    about: 'One workflow per event, one delivery per target',
    says: 'The id of a delivery follows from event and target. `sequence` is read with the event and never in the body.',
    proofs: [
      fired('has an id that follows from the event and the target, and is there once for each'),
      fired('to every enabled endpoint that takes it, and to the address of the invoice'),
      toEndpoint('has a body of exactly two fields'),
      webhooks('do not wait for each other, and a slow one does not delay the other'),
    ],
  },
  {
    about: 'Retries are planned from the first attempt',
    says: 'The first attempt and twelve retries; one starts at its instant, or when the attempt before has ended; every sum lies in its row.',
    proofs: [
      backoff('never leaves a row of the table and never has a thirteenth retry, in 100,000 schedules'),
      testsIn('test/workflows/webhook-real-time.test.ts')(
        'the first five retries are planned inside their rows of the table, to the second, and arrive then, in real time',
      ),
      webhooks('gets thirteen attempts inside the rows of the table over three days, then is abandoned'),
      webhooks('starts when that has ended, for a first attempt %s the workflow task'),
      takeover('is taken over at the attempt that was next and at its instant, and nothing is sent twice'),
      testsIn('test/activities/deliver-attempts.test.ts')(
        'give way for what is left of their row at most, and not at all once it is over',
      ),
    ],
  },
  {
    about: 'A receiver can ask for patience',
    says: '`Retry-After` delays the next retry, to the end of its row at most.',
    proofs: [
      backoff('never leaves a row, never goes back and never comes before its plan, in 20,000 schedules'),
      toEndpoint('delays the next retry, to the end of its row at most'),
    ],
  },
  {
    about: 'A receiver can be gone',
    says: 'A 410 is a failure; the third in a row switches an endpoint off, with an event; what was begun keeps its schedule; the URL of an invoice is never switched off.',
    proofs: [
      health('is switched off at the third time in a row, and the others are told, but not itself'),
      health('gets what was begun on its schedule all the same, and can accept it'),
      health('is switched off in one database transaction with the attempt and the event, or not at all'),
      health('the URL of an invoice is never switched off, whatever it answers'),
    ],
  },
  {
    about: 'Dead endpoints hold no workflow slots',
    says: 'The first attempt runs inside the workflow task only while the host accepts, and a few at a time.',
    proofs: [
      webhooks('runs outside the workflow task only while the host has not accepted what it got last'),
      testsIn('test/webhooks/host-slots.test.ts')(
        'never has more than four at once inside workflow tasks, and is then sent to outside of them at once',
      ),
      testsIn('test/webhooks/host-slots.test.ts')(
        'that did not accept leaves four fifths of the places inside workflow tasks to those that do',
      ),
      testsIn('test/workflows/webhook-crowd.test.ts')(
        'is ten at once, delays no other, of the same host neither, and is sent when it is well again, waiting being no attempt',
      ),
    ],
  },
  {
    about: 'Private targets are refused',
    says: 'In live and in the sandbox, in whatever notation; only where everything is embedded they are allowed, and never the metadata services.',
    proofs: [
      ssrf('this machine as %j'),
      ssrf('and there are more than two hundred different ones'),
      testsIn('test/webhooks/ssrf-rebinding.test.ts')('is connected to at the checked address only, over %s'),
    ],
  },
  {
    about: 'Limits hold over all processes',
    says: 'At most L + L · t/60 + 1 in any t seconds, whoever is killed. A 401 shows the default limit and takes nothing.',
    proofs: [
      bucket('never says anything else than domain/gcra.ts, with clocks and limits that jump'),
      bucket('leaves what the specification says: with 3000 RPM and %i for 5 minutes, %i'),
      testsIn('test/rate-limit/processes.test.ts')(
        'never admit more than its limit in any window of time, whoever of them is killed',
      ),
      limits('401: the default one, whether the project exists or not, and nothing is taken'),
      limits('holds from the next request on, on every process, up and down, while requests run'),
    ],
  },
  {
    about: 'Card testing',
    says: 'Calls of clients have buckets of their own, by address and by invoice, and use up nothing of the merchant. What Visa and Mastercard count is counted, and enforced where the project wants it.',
    proofs: [
      clientLimits('never takes anything from what the merchant has'),
      clientLimits('is refused when its address has asked too much, and the merchant goes on'),
      clientLimits('is refused when too much was asked about its invoice, from wherever, and others are not'),
      advice('is every decline of a Visa card that was sent, and none that was not'),
      advice('is three declines of a Mastercard in a day here, whatever the amount; the next day it is sent again'),
      testsIn('test/domain/network-limits.test.ts')('is judged by the figures and windows that the networks publish'),
    ],
  },
  {
    about: 'What is sealed names its key',
    says: 'So keys are replaced while payments go on, and nothing is left under the old ones; the fingerprint stays. Card numbers, security codes, webhook secrets and the credentials of gateways.',
    proofs: [
      testsIn('test/processes/resealing.test.ts')(
        'is for everything that is sealed: nothing in the database needs the old keys afterwards',
      ),
      accounts('is in no answer, log, row, audit entry or kept answer, in no form'),
      accounts('of one configuration does not open in another, nor does an older one in its own'),
      rotation('under load fails no request and loses no card, and leaves nothing under the old keys'),
      vault('the old key still opens what it sealed, and seals no more'),
      vault('stays the same when the encryption keys are replaced'),
    ],
  },
  {
    about: 'The audit log',
    says: 'Chained per transaction by triggers, sealed per project by a background task; whatever is changed behind it is found.',
    proofs: [
      audit('has no gap and no fork, whoever changes the payment at once, also without its lock'),
      verified('cannot compute a sealed chain anew'),
      verified('the deletion of the last entry, where what it tells of is undone as well'),
      seals('seals no entry twice and leaves none, whoever does it at once'),
    ],
  },
  {
    about: 'Blocks by merchant advice',
    says: 'One row for project, environment, gateway configuration, card fingerprint, amount and currency; another decline extends it, an approval lifts it.',
    proofs: [
      advice('the same card over the same amount is refused with 410, and the gateway hears nothing of it'),
      advice('an override is sent, is noted on its operations, and its decline is recorded all the same'),
      advice('thirty days after “do not try again” the card is asked for again'),
      advice('two invoices at once may both be sent, once: the block comes with the first answer'),
      macBlocks('is there once: again it is extended, and never shortened'),
      macBlocks('at one gateway stops no other card, amount, currency, gateway or environment'),
      adviceSteps('is recorded in the database transaction of its result, or not at all'),
      adviceSteps('goes to the next one where the rule of its route has a fallback'),
      adviceSteps(
        'is not sent by a second run of its step, nor by a look-up, once a block forbids it; nor booked as declined',
      ),
    ],
  },
]
