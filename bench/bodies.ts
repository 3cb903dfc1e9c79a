/** `npm run bench:bodies`: how long the worst body of every route keeps the process busy, beside reading it. */
import { type BodyLimits, INVOICE_BODY, LINES_BODY, ORDINARY_BODY } from '../src/http/middleware/body.ts'
import { CARD, CARD_CHANGES } from '../src/http/schemas/card-input.ts'
import { INCREMENT, REFUND, VOID } from '../src/http/schemas/command-input.ts'
import { NEW_CUSTOMER } from '../src/http/schemas/customer-input.ts'
import { NEW_CONFIGURATION } from '../src/http/schemas/gateway-configuration-input.ts'
import { INVOICE } from '../src/http/schemas/invoices/invoice-input.ts'
import { PAYMENT_OPTIONS } from '../src/http/schemas/payment-options.ts'
import { EXPLANATION } from '../src/http/schemas/rules/explanation-input.ts'
import { NEW_RULE_SET, RULES_BODY } from '../src/http/schemas/rules/rule-input.ts'
import { TOKEN } from '../src/http/schemas/token-input.ts'
import { RECOVERY, RESEND, ROTATION } from '../src/http/schemas/webhook-command-input.ts'
import { NEW_ENDPOINT } from '../src/http/schemas/webhook-endpoint-input.ts'
import { say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { type Attack, createAttacker, type Taken } from './bodies/measure.ts'
import { HELP, type Options, readOptions } from './bodies/options.ts'
import { makeObjects, startStage } from './bodies/stage.ts'
import { worstBodies, worstQueries } from './bodies/worst-bodies.ts'
import { runBench } from './command-line.ts'
import { describeMachine } from './report/machine.ts'
import { renderTable } from './report/table.ts'

/** No request may keep the process from all others for longer than this. */
const BUSY_MS_MAX = 20

/** The fields of each route, by how its path begins; the first that fits counts. */
const DEFINITIONS = {
  '/cards': [CARD, CARD_CHANGES],
  '/customers': [NEW_CUSTOMER, TOKEN],
  '/invoices/:id/customers': [NEW_CUSTOMER],
  '/invoices/:id/refunds': [REFUND],
  '/invoices/:id/void': [VOID],
  '/invoices/:id/increment_authorization': [INCREMENT],
  '/invoices/:id/authorize': [PAYMENT_OPTIONS],
  '/invoices/:id/capture': [PAYMENT_OPTIONS],
  '/invoices': [INVOICE],
  '/transactions': [REFUND],
  '/gateways': [NEW_CONFIGURATION],
  '/gateway-configurations': [NEW_CONFIGURATION],
  '/routing-rules': [EXPLANATION, NEW_RULE_SET],
  '/events': [RESEND],
  '/webhook-endpoints': [NEW_ENDPOINT, ROTATION, RECOVERY],
} as const

await runBench(HELP, readOptions, run)

async function run({ repeats, worst, only }: Options, shutdown: Shutdown): Promise<void> {
  const stage = await startStage(shutdown, say)
  const objects = await makeObjects(stage)
  const attacker = createAttacker(stage)
  shutdown.add({ name: 'The connection to the interface', stop: async () => attacker.close() })
  const found: Taken[] = []
  for (const { method, path } of stage.endpoints) {
    const route = `${method} ${path}`
    if (method === 'DELETE' || !route.includes(only)) continue
    const address = objects.addressOf(path)
    const attacks = method === 'GET' ? queriesOf(method, address) : bodiesOf(method, path, address)
    const first: Taken[] = []
    for (const attack of attacks) {
      shutdown.signal.throwIfAborted()
      first.push(await attacker.measure(attack, 1))
    }
    const candidates = first.toSorted((one, other) => other.busyMs - one.busyMs).slice(0, worst)
    const again: Taken[] = []
    for (const { attack } of candidates) again.push(await attacker.measure(attack, repeats))
    const [hardest] = again.toSorted((one, other) => other.busyMs - one.busyMs)
    if (hardest === undefined) continue
    found.push({ ...hardest, attack: { ...hardest.attack, path } })
    say(`${route}, ${attacks.length} requests: ${hardest.busyMs.toFixed(1)} ms, ${hardest.attack.name}`)
  }
  const rows = found
    .toSorted((one, other) => other.busyMs - one.busyMs)
    .map(({ attack, status, busyMs, floorMs }) => [
      `${attack.method} ${attack.path}`,
      attack.name,
      String(status),
      busyMs.toFixed(1),
      floorMs.toFixed(2),
    ])
  say(`\n${renderTable(['route', 'the worst request', 'status', 'busy, ms', 'JSON.parse, ms'], rows)}`)
  const { cpu, cores, node } = describeMachine()
  say(`\n${cores} cores (${cpu}), Node ${node}; the mean of ${repeats}, client included`)
  const tooLong = found.filter(({ busyMs }) => busyMs > BUSY_MS_MAX)
  say(`${found.length - tooLong.length} of ${found.length} routes stay below ${BUSY_MS_MAX} ms`)
  shutdown.request('Everything is measured', tooLong.length === 0 ? 0 : 1)
}

function fieldsOf(path: string): string[] {
  const [, definitions = []] = Object.entries(DEFINITIONS).find(([begin]) => path.startsWith(begin)) ?? []
  const names = definitions.flatMap((definition) => definition.names)
  return [...new Set(names.map((name) => name.split('.')[0] ?? name))]
}

/** What a route reads, as `src/http/app.ts` says it. */
function limitsOf(path: string): BodyLimits {
  if (path === '/invoices' || path === '/invoices/:id') return INVOICE_BODY
  if (/\/(?:authorize|capture|refunds)$/.test(path)) return LINES_BODY
  return path.startsWith('/routing-rules') ? RULES_BODY : ORDINARY_BODY
}

function bodiesOf(method: string, path: string, address: string): Attack[] {
  return worstBodies(path, fieldsOf(path), limitsOf(path)).map(({ name, isForm, text }) => ({
    method,
    path: address,
    name,
    isForm,
    body: text,
  }))
}

function queriesOf(method: string, address: string): Attack[] {
  return worstQueries().map((query) => ({
    method,
    path: `${address}?${query}`,
    name: query.slice(0, 40),
    isForm: false,
    body: '',
  }))
}
