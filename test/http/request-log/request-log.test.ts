import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { BufferedRequestLog } from '../../../src/http/request-log/request-log.ts'
import { ApiRequestEntity, type ApiRequestRow } from '../../../src/persistence/entities/api-request.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { createOrm, type Orm } from '../../../src/persistence/orm.ts'
import { makeRows } from '../../persistence/rows.ts'
import { captureLog } from '../../support/captured-log.ts'
import { makeLine } from '../../support/line.ts'
import { databaseForFile } from '../../support/payment-for-file.ts'
import { waitFor } from '../../support/wait-for.ts'

/** As `request-log.ts` has them. */
const BATCH_SIZE = 200
const WAITING_MAX = 2_000

const { project, apiRequest } = makeRows('log')
const database = databaseForFile()

beforeAll(async () => {
  await database.orm.em.fork().insert(ProjectEntity, project)
})
beforeEach(() => database.orm.em.fork().nativeDelete(ApiRequestEntity, {}))

const row = (index: number): ApiRequestRow => ({ ...apiRequest, id: `api_req_${index}`, status: 200 + (index % 100) })

const ids = async (): Promise<number[]> => {
  const found = await database.orm.em.fork().find(ApiRequestEntity, {}, { fields: ['id'] })
  return found.map(({ id }) => Number(id.slice('api_req_'.length))).sort((a, b) => a - b)
}

/** How many statements wrote what is there: each is a database transaction of its own. */
async function statements(): Promise<number> {
  const [counted] = await database.orm.em
    .fork()
    .execute<{ count: string }[]>('select count(distinct xmin::text) from api_request')
  return Number(counted?.count)
}

/** Stands between the log and the database, and can be shut. */
async function makeDoor() {
  const url = new URL(database.url)
  const { address, mend: open, disturb, remove } = await makeLine(url.hostname, Number(url.port))
  url.host = address
  return { url: url.href, open, shut: () => disturb('no-route'), remove }
}

describe('while the database is away', () => {
  let orm: Orm
  let door: Awaited<ReturnType<typeof makeDoor>>
  let log: ReturnType<typeof captureLog>
  let requestLog: BufferedRequestLog

  beforeEach(async () => {
    door = await makeDoor()
    orm = await createOrm({ databaseUrl: door.url, poolMax: 2 })
    log = captureLog()
    requestLog = new BufferedRequestLog({ orm, logger: log.logger })
    await door.shut()
  })
  afterEach(async () => {
    await orm.close(true)
    await door.remove()
  })

  test('rows wait, and are written when it is back', async () => {
    for (let index = 0; index < 250; index += 1) requestLog.add(row(index))
    await requestLog.flush()
    await requestLog.flush()
    await door.open()
    await requestLog.flush()
    expect(await ids()).toEqual(Array.from({ length: 250 }, (_, index) => index))
    expect(log.text().match(/The request log waits for the database/g)).toHaveLength(1)
    expect(log.text()).toMatch(/waits for the database: [A-Za-z]/)
    expect(log.text()).not.toContain('lost')
  })

  test('no more rows wait than there is room for: the oldest are lost, and counted', async () => {
    for (let index = 0; index < WAITING_MAX + 30; index += 1) requestLog.add(row(index))
    await requestLog.flush()
    expect(log.text()).toContain('"rows":30,"msg":"The request log has lost rows"')
    for (let index = 0; index < 5; index += 1) requestLog.add(row(WAITING_MAX + 30 + index))
    await door.open()
    await requestLog.flush()
    const written = await ids()
    expect(written).toHaveLength(WAITING_MAX)
    expect(written[0]).toBe(35)
    expect(log.text()).toContain('"rows":5,"msg":"The request log has lost rows"')
  })

  test('a process that stops does not wait for it, and says what it lost', async () => {
    requestLog.start()
    requestLog.add(row(1))
    // It stays away, so that who waits for it never ends.
    await requestLog.stop()
    expect(log.text()).toContain('"rows":1,"msg":"The request log has lost rows"')
  })
})

describe('the request log', () => {
  const make = () => {
    const log = captureLog()
    return { log, requestLog: new BufferedRequestLog({ orm: database.orm, logger: log.logger }) }
  }

  test('writes every column as it is, and nothing where there is nothing', async () => {
    const { requestLog } = make()
    const bare = { ...apiRequest, id: 'api_req_bare', query: null, requestBody: null, responseBody: null, ip: null }
    requestLog.add(apiRequest)
    requestLog.add(bare)
    await requestLog.flush()
    const found = await database.orm.em.fork().find(ApiRequestEntity, {}, { orderBy: { id: 'asc' } })
    expect(found.map((read) => ({ ...read }))).toEqual([bare, apiRequest])
    const [nulls] = await database.orm.em
      .fork()
      .execute<{ count: string }[]>('select count(*) from api_request where request_body is null and query is null')
    expect(Number(nulls?.count)).toBe(1)
  })

  test('writes what waits every second', async () => {
    const { requestLog } = make()
    requestLog.start()
    requestLog.add(row(1))
    requestLog.add(row(2))
    await waitFor(async () => (await ids()).length === 2)
    expect(await statements()).toBe(1)
    await requestLog.stop()
  })

  test('writes at once when there is enough for one statement', async () => {
    let begun = 0
    const orm: Orm = Object.create(database.orm, {
      driver: {
        get() {
          begun += 1
          return database.orm.driver
        },
      },
    })
    const requestLog = new BufferedRequestLog({ orm, logger: captureLog().logger })
    requestLog.start()
    // No timer goes off while nobody waits: what has begun by the end of the loop has begun at once.
    const begunAfter = Array.from({ length: BATCH_SIZE }, (_, index) => {
      requestLog.add(row(index))
      return begun
    })
    expect(begunAfter).toEqual([...Array<number>(BATCH_SIZE - 1).fill(0), 1])
    await waitFor(async () => (await ids()).length === BATCH_SIZE)
    expect(await statements()).toBe(1)
    await requestLog.stop()
  })

  test('writes many rows in as few statements as can be', async () => {
    const { requestLog } = make()
    for (let index = 0; index < 1_050; index += 1) requestLog.add(row(index))
    await Promise.all([requestLog.flush(), requestLog.flush()])
    expect(await ids()).toHaveLength(1_050)
    expect(await statements()).toBe(6)
  })

  test('leaves rows that come while it writes to the next statement, until they are enough for one', async () => {
    const { requestLog } = make()
    requestLog.add(row(0))
    const flushed = requestLog.flush()
    for (let index = 1; index <= 10; index += 1) requestLog.add(row(index))
    await flushed
    expect(await ids()).toEqual([0])
    await requestLog.flush()
    expect(await statements()).toBe(2)
    expect(await ids()).toHaveLength(11)
  })

  test('writes what waits when it is stopped, and nothing by itself afterwards', async () => {
    const { requestLog } = make()
    requestLog.start()
    requestLog.add(row(1))
    await requestLog.stop()
    expect(await ids()).toEqual([1])
  })

  test('loses no other row with one that cannot be stored, and says so without repeating it', async () => {
    const { log, requestLog } = make()
    requestLog.add(row(1))
    requestLog.add({ ...row(2), status: 7, userAgent: 'unique-agent' })
    requestLog.add(row(3))
    await requestLog.flush()
    expect(await ids()).toEqual([1, 3])
    expect(log.text()).toContain('"rows":1,"msg":"The request log has lost rows"')
    expect(log.text()).not.toContain('unique-agent')
  })
})
