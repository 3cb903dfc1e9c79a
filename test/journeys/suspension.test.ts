import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { resumeProject, suspendProject } from '../../src/persistence/queries/projects/projects.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const HOUR_MS = 60 * 60 * 1000
const ACTOR = 'operator:test'

describe('a suspended project', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
  })
  afterEach(() => resume())
  afterAll(() => stack.stop())

  const inTransaction = <Result>(work: (em: EntityManager) => Promise<Result>) =>
    stack.database.orm.em.fork().transactional(work)
  const suspend = () =>
    inTransaction((em) => suspendProject(em, { projectId: stack.project.id, actor: ACTOR, now: stack.clock.now() }))
  const resume = () => inTransaction((em) => resumeProject(em, { projectId: stack.project.id, actor: ACTOR }))
  const payIn = (milliseconds: number) =>
    story.pay({ auto_capture_at: new Date(Date.now() + milliseconds).toISOString() })
  const askedFor = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).map(({ type }) => type)
  const timesHeld = async (invoiceId: string) =>
    (await stack.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })).autoCaptureFailures

  test('has its scheduled capture held over its instant, and made after it is resumed', async () => {
    const { invoiceId } = await payIn(DAY_MS)
    await suspend()
    await stack.skipTime(invoiceId, DAY_MS + 2 * HOUR_MS)
    expect(await timesHeld(invoiceId)).toBeGreaterThanOrEqual(5)
    expect(await askedFor(invoiceId)).toEqual(['authorization'])
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })

    await resume()
    await stack.skipTime(invoiceId, HOUR_MS + 60_000)
    expect(await story.becomes(invoiceId, { status: 'completed' })).toMatchObject({ captured_amount: '29.00' })
    expect(await askedFor(invoiceId)).toEqual(['authorization', 'capture'])
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
    await stack.waitFor(() => stack.isClosed(invoiceId))
  })
})
