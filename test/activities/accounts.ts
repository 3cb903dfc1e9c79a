import { beforeEach } from '@jest/globals'
import type { PayCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Outcome } from '../../domain/operation.ts'
import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { activateRuleSet, createRuleSet } from '../../src/persistence/queries/routing/rule-sets.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { forFile } from '../support/for-file.ts'
import { makePayments } from './payments.ts'
import type { Answer } from './scripted-gateway.ts'

const NAMES = ['first', 'second', 'third'] as const
export type AccountName = (typeof NAMES)[number]

/** Payments of a project that has three accounts at the simulator, each of which can be made to answer otherwise. */
export async function makePaymentsAtAccounts() {
  const payments = await makePayments()
  const { deps, projectId, em, gateway } = payments
  const scope = { projectId, sandbox: true }
  const known = await payments.account()
  const accounts = { first: known.id } as Record<AccountName, string>
  for (const [index, name] of (['second', 'third'] as const).entries()) {
    accounts[name] = makeIdentifier('gatewayConfiguration', deps.randomBytes)
    const createdAt = new Date(known.createdAt.getTime() + index + 1)
    const account = { ...scope, id: accounts[name], gatewayName: 'simulator', name, enabled: true, createdAt }
    await em().insert(GatewayConfigurationEntity, account)
  }
  const nameOf = (id: string) => NAMES.find((name) => accounts[name] === id) ?? 'none'
  const answers = new Map<string, Answer>()

  const changeAccount = async (name: AccountName, values: Partial<GatewayConfigurationRow>) =>
    void (await em().nativeUpdate(GatewayConfigurationEntity, { id: accounts[name] }, values))
  /** Activates rules in which the names stand for the accounts; null leaves none. */
  const activateRules = (text: string | null) =>
    em().transactional(async (inner) => {
      const now = deps.clock.now()
      if (text === null) return void (await activateRuleSet(inner, scope, null, now))
      const named = text.replaceAll(/\b(first|second|third)\b/g, (name) => accounts[name as AccountName])
      const rules = parseRules(named, { defaultCurrency: 'EUR' })
      const given = { text: named, rules, defaultCurrency: 'EUR', createdAt: now, createdBy: 'test' }
      const ruleSet = { id: makeIdentifier('ruleSet', deps.randomBytes), ...given }
      const { id } = await createRuleSet(inner, scope, ruleSet, () => makeIdentifier('rule', deps.randomBytes))
      await activateRuleSet(inner, scope, id, now)
    })

  return {
    ...payments,
    accounts,
    nameOf,
    changeAccount,
    activateRules,
    /** What an account answers to authorizations. */
    answersAt(name: AccountName, answer: Answer) {
      answers.set(accounts[name], answer)
    },
    /** The accounts that were asked to authorize, in order. */
    askedAccounts: (): string[] =>
      gateway.asked
        .filter(({ call }) => call === 'authorize')
        .map(({ request }) => nameOf(request.gatewayConfigurationId)),
    /** An invoice, and the command that pays it. */
    async prepare(values: Partial<PayCommand> = {}, invoice: Partial<InvoiceRow> = {}, number?: string) {
      const invoiceId = await payments.makeInvoice(invoice)
      const command = payments.build.authorize(await payments.makeCard(number), values)
      return { invoiceId, command, step: payments.stepOf(invoiceId, command) }
    },
    /** Every account is itself, and there are no rules. */
    async reset() {
      answers.clear()
      gateway.reset()
      gateway.answers({
        authorize(ask, request) {
          const answer = answers.get(request.gatewayConfigurationId) ?? ask
          return typeof answer === 'function' ? (answer(ask, request) as Promise<Outcome>) : answer
        },
      })
      for (const name of NAMES)
        await changeAccount(name, { enabled: true, drainingSince: null, capabilities: {}, authorizationValidity: [] })
      await activateRules(null)
    },
  }
}

export type PaymentsAtAccounts = Awaited<ReturnType<typeof makePaymentsAtAccounts>>

/** Such payments for the tests of a file, as they were made again before each test. */
export function paymentsAtAccountsForFile(): PaymentsAtAccounts {
  const payments = forFile(makePaymentsAtAccounts, ({ database }) => database.drop())
  beforeEach(() => payments.reset())
  return payments
}
