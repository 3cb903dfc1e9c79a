import { makeIdentifier } from '../../domain/identifiers.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { activateRuleSet, createRuleSet } from '../../src/persistence/queries/routing/rule-sets.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { makeDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const ACCOUNTS = ['first', 'second', 'third'] as const
export type AccountName = (typeof ACCOUNTS)[number]

/** Answers in place of the gateway, which is asked by `really`. */
type Answer = (really: () => Promise<Outcome>) => Promise<Outcome>

/** A project with three accounts at the simulator, each of which can be made to answer what a test wants. */
export async function makeRoutingStage() {
  const database = await makeDatabase()
  const ids = new Map<string, AccountName>()
  const wanted = new Map<AccountName, Outcome | Answer>()
  /** The accounts that were asked to authorize, in order. */
  const asked: AccountName[] = []

  const answering = (simulator: Gateway): Gateway => ({
    ...simulator,
    authorize: async (request, signal) => {
      const account = ids.get(request.gatewayConfigurationId) ?? 'first'
      asked.push(account)
      const answer = wanted.get(account)
      if (answer === undefined) return simulator.authorize(request, signal)
      return typeof answer === 'function' ? answer(() => simulator.authorize(request, signal)) : answer
    },
  })
  let found: LookUp | null = null
  const fixture = await makePaymentFixture(database, (simulator) => ({
    ...answering(simulator),
    lookUp: async (request, signal) => found ?? simulator.lookUp(request, signal),
  }))
  const { deps, projectId } = fixture
  const scope = { projectId, sandbox: true }
  const em = database.orm.em.fork()
  const known = await em.findOneOrFail(GatewayConfigurationEntity, { projectId })
  const accounts = { first: known.id } as Record<AccountName, string>
  ids.set(known.id, 'first')
  for (const [index, name] of (['second', 'third'] as const).entries()) {
    const id = makeIdentifier('gatewayConfiguration', deps.randomBytes)
    await em.insert(GatewayConfigurationEntity, {
      id,
      ...scope,
      gatewayName: 'simulator',
      name,
      enabled: true,
      createdAt: new Date(known.createdAt.getTime() + index + 1),
    })
    accounts[name] = id
    ids.set(id, name)
  }

  return {
    database,
    fixture,
    accounts,
    asked,
    activities: () => createSignedActivities(deps),
    /** What an account answers from now on, whatever it is asked. */
    says(account: AccountName, answer: Outcome | Answer) {
      wanted.set(account, answer)
    },
    /** What every look-up finds from now on. */
    finds(lookUp: LookUp) {
      found = lookUp
    },
    /** Names in the text stand for the accounts. */
    async activate(text: string | null) {
      await database.orm.em.fork().transactional(async (em) => {
        if (text === null) return void (await activateRuleSet(em, scope, null, deps.clock.now()))
        const named = text.replaceAll(/\b(first|second|third)\b/g, (name) => accounts[name as AccountName])
        const rules = parseRules(named, { defaultCurrency: 'EUR' })
        const { id } = await createRuleSet(
          em,
          scope,
          {
            id: makeIdentifier('ruleSet', deps.randomBytes),
            text: named,
            rules,
            defaultCurrency: 'EUR',
            createdAt: deps.clock.now(),
            createdBy: 'test',
          },
          () => makeIdentifier('rule', deps.randomBytes),
        )
        await activateRuleSet(em, scope, id, deps.clock.now())
      })
    },
    async change(account: AccountName, values: Partial<GatewayConfigurationRow>) {
      await database.orm.em.fork().nativeUpdate(GatewayConfigurationEntity, { id: accounts[account] }, values)
    },
    async prepare(
      invoice: Parameters<typeof fixture.makeInvoice>[0] = {},
      number?: string,
      options: Parameters<typeof fixture.authorizeCommand>[1] = {},
    ) {
      const [invoiceId, card] = [await fixture.makeInvoice(invoice), await fixture.makeCard(number)]
      return { invoiceId, step: fixture.step(invoiceId, fixture.authorizeCommand(card, options)) }
    },
    nameOf: (id: string | null | undefined) => (id == null ? null : (ids.get(id) ?? null)),
    transactionOf: (invoiceId: string) => database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId }),
    async operationsOf(invoiceId: string) {
      const em = database.orm.em.fork()
      const { id: transactionId } = await em.findOneOrFail(TransactionEntity, { invoiceId })
      return em.find(OperationEntity, { transactionId }, { orderBy: { position: 'asc' } })
    },
    async eventsOf(invoiceId: string) {
      const rows = await database.orm.em
        .fork()
        .execute<{ name: string }[]>('select name from event where invoice_id = ? order by sequence', [invoiceId])
      return rows.map(({ name }) => name)
    },
    /** Before each test: every account is itself, and there are no rules. */
    async reset() {
      wanted.clear()
      found = null
      asked.length = 0
      for (const account of ACCOUNTS)
        await this.change(account, { enabled: true, drainingSince: null, capabilities: {} })
      await this.activate(null)
    },
    drop: () => database.drop(),
  }
}

export type RoutingStage = Awaited<ReturnType<typeof makeRoutingStage>>
