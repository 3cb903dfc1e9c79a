import type { PaymentActivityDeps } from '../../activities/dependencies.ts'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { Command, PayCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { createGatewayRegistry } from '../../src/gateways/registry.ts'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { InvoiceEntity, type InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { createRuleBook } from '../../src/routing/rule-book.ts'
import { createVault } from '../../src/vault/vault.ts'
import { payCommand } from '../domain/payment-builders.ts'
import { runningClock } from './clock.ts'
import type { TestDatabase } from './database.ts'
import { TEST_KEYS } from './keys.ts'
import { executeOn } from './payment-books.ts'
import { seededRandomBytes } from './random.ts'
import { CARD_DEFAULTS, INVOICE_DEFAULTS } from './row-defaults.ts'

/** One project with what the activities of payments need, on a real database, without Temporal. */
export async function makePaymentFixture(
  database: TestDatabase,
  wrapGateway: (simulator: Gateway) => Gateway = (gateway) => gateway,
) {
  const { orm } = database
  const randomBytes = seededRandomBytes(`${database.name} ${await countProjects(database)}`)
  const vault = createVault(TEST_KEYS)
  const clock = runningClock()
  const execute = await executeOn(orm)
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name: 'Test',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
  })
  const announced: { eventId: string; eventName: EventName }[] = []
  const answered: { operationId: string; kind: string }[] = []
  const deps: PaymentActivityDeps = {
    orm,
    vault,
    clock,
    randomBytes,
    ruleBook: createRuleBook(),
    publicUrl: () => 'https://pay.example',
    gateways: createGatewayRegistry([wrapGateway(createSimulator({ execute }))]),
    pendingAnswers: {
      expect: () => {
        throw new Error('Activities answer; they do not wait.')
      },
      answer: (operationId, { kind }) => void answered.push({ operationId, kind }),
    },
    logger: { error: () => undefined },
    webhookStarter: {
      start: async ({ eventId, eventName }) => void announced.push({ eventId, eventName }),
    },
  }

  const makeInvoice = async (values: Partial<InvoiceRow> = {}): Promise<string> => {
    const id = makeIdentifier('invoice', randomBytes)
    const now = clock.now()
    await orm.em.fork().insert(InvoiceEntity, {
      id,
      projectId,
      sandbox: true,
      ...INVOICE_DEFAULTS,
      createdAt: now,
      updatedAt: now,
      ...values,
    })
    return id
  }
  const makeCard = async (number = '4242424242424242', name: string | null = null): Promise<string> => {
    const id = makeIdentifier('card', randomBytes)
    const now = clock.now()
    const { ciphertext, keyId } = vault.encryptNumber(id, number)
    await orm.em.fork().insert(CardEntity, {
      id,
      projectId,
      sandbox: true,
      ...CARD_DEFAULTS,
      iin: number.slice(0, 8),
      last4Digits: number.slice(-4),
      fingerprint: vault.fingerprint(projectId, number),
      name,
      numberCiphertext: ciphertext,
      numberKeyId: keyId,
      createdAt: now,
      updatedAt: now,
    })
    return id
  }

  /** What every command has, anew. */
  const base = () => ({
    operationId: makeIdentifier('operation', randomBytes),
    actor: 'merchant' as const,
    deadline: clock.now().getTime() + 60_000,
    idempotency: null,
  })
  /** A call of a server, with the options that are not given left out. */
  const call = (values: Partial<PayCommand> & Pick<PayCommand, 'call'>): PayCommand =>
    payCommand({ ...base(), captureOperationId: makeIdentifier('operation', randomBytes), ...values })
  const authorizeCommand = (source: string, values: Partial<PayCommand> = {}): PayCommand =>
    call({ call: 'authorize', source, ...values })
  const captureCommand = (amountMinor: number | null = null, values: Partial<PayCommand> = {}): PayCommand =>
    call({ call: 'capture', amountMinor, ...values })
  const step = <C extends Command>(invoiceId: string, command: C): StepInput<C> => ({
    payment: { projectId, environment: 'sandbox', invoiceId },
    command,
    at: clock.now().getTime(),
    asOf: clock.now().getTime(),
    runId: 'run of a test',
  })

  return {
    deps,
    execute,
    projectId,
    secretKey,
    announced,
    answered,
    makeInvoice,
    makeCard,
    base,
    call,
    authorizeCommand,
    captureCommand,
    step,
  }
}

/** Two fixtures on one database must not make the same ids. */
function countProjects({ orm }: TestDatabase): Promise<number> {
  return orm.em.fork().count(ProjectEntity)
}
