import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS } from '../../domain/permission.ts'
import { createVault } from '../../src/vault/vault.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { interfaceForFile } from './interface.ts'
import {
  addressOf,
  guardedEndpoints,
  isList,
  NOBODY,
  namesObject,
  namesObjectBelow,
  OPERATIONS,
  type Owner,
} from './operations.ts'
import { sortedRows } from './sorted-rows.ts'
import { recordStatements } from './statements.ts'
import { basic, KINDS, makeWorlds, type World, type Worlds } from './worlds.ts'

/** Requests at once: enough to keep two processors busy. */
const LANES = 8

const NAMES = Object.keys(OPERATIONS)
const OBJECTS = NAMES.filter(namesObject)
const isOpen = (name: string): boolean => OPERATIONS[name]?.isOpenToClients === true

/** Of every table: how many operations have been tried. */
const cells = new Map<string, number>()

const api = interfaceForFile()
let worlds: Worlds
let before: string

beforeAll(async () => {
  api.payments.play(() => ({ kind: 'done' }))
  worlds = await makeWorlds(api.database)
  revoked = await worlds.addKey(worlds.mine, { isRevoked: true })
  for (const permission of PERMISSIONS) {
    const permissions = PERMISSIONS.filter((other) => other !== permission)
    lacking.set(permission, await worlds.addKey(worlds.mine, { permissions }))
  }
  before = await sortedRows(api.database)
})

// Whatever a refused request leaves behind, one of these finds it, and names the table that left it.
afterEach(async () => {
  const after = await sortedRows(api.database)
  const known = new Set(before.split('\n'))
  expect(after.split('\n').filter((row) => !known.has(row))).toEqual([])
  expect(after).toHaveLength(before.length)
  expect(api.payments.sent).toEqual([])
  expect(api.announced).toEqual([])
  // All of these come from one address, more of them than one address may try with wrong credentials.
  await api.database.orm.em.getConnection().execute('delete from rate_limit_bucket')
})

let revoked = ''
const lacking = new Map<string, string>()

interface Told {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** What differs between two answers that tell the same: names of the requests, times, and the caller's own buckets. */
const OWN_HEADERS = /^(?:x-request-id|date|x-ratelimit.*|ratelimit.*)$/

async function ask(name: string, address: string, headers: Record<string, string>): Promise<Told> {
  const [method = ''] = name.split(' ')
  const { body } = OPERATIONS[name] ?? {}
  const response = await fetch(new URL(address, api.url), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { request_id: _, ...told } = (await response.json()) as Record<string, unknown>
  const same = [...response.headers].filter(([header]) => !OWN_HEADERS.test(header))
  return { status: response.status, headers: Object.fromEntries(same), body: told }
}

/** Tries every operation of a table and gives what is not as it should be. */
async function tryAll(table: string, names: readonly string[], problemOf: (name: string) => Promise<string | null>) {
  const waiting = names.values()
  const problems: string[] = []
  const lane = async () => {
    for (const name of waiting) {
      const problem = await problemOf(name)
      if (problem !== null) problems.push(`${name}: ${problem}`)
      cells.set(table, (cells.get(table) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return problems
}

const refusal = (status: number, errorType: string, { headers, body }: Told): Told => ({
  status,
  headers,
  body: { ...body, success: false, error_type: errorType },
})

const differs = (told: Told, expected: Told): string | null =>
  JSON.stringify(told) === JSON.stringify(expected) ? null : `${JSON.stringify(told)}, not ${JSON.stringify(expected)}`

/** The answer to no credentials at all, to which every other 401 must be equal. */
const nobodysAnswer = (name: string) => ask(name, addressOf(name, NOBODY), {})

describe('the table of operations', () => {
  test('has every operation of the router, with whom it lets in', () => {
    const inRouter = guardedEndpoints().map(({ method, path, access }) => [
      `${method} ${path}`,
      { permission: access?.permission, isOpenToClients: access?.isOpenToClients === true },
    ])
    const written = NAMES.map((name) => [
      name,
      { permission: OPERATIONS[name]?.permission, isOpenToClients: isOpen(name) },
    ])
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(inRouter))
    expect(NAMES.length).toBeGreaterThan(50)
  })

  test('would be carried out for the owner, but for those that the state of the object forbids', async () => {
    // Reads only: everything else would change what the other tables are about.
    const reads = NAMES.filter((name) => name.startsWith('GET ') && !name.startsWith('GET /exports/'))
    const mine = { authorization: basic(worlds.mine.projectId, worlds.mine.secretKey) }
    const problems = await tryAll('owner', reads, async (name) => {
      const { status, body } = await ask(name, addressOf(name, worlds.mine), mine)
      return status === 200 && body.success === true ? null : JSON.stringify({ status, body })
    })
    expect(problems).toEqual([])
    cells.delete('owner')
  })
})

describe('credentials that prove nothing', () => {
  const wrong: [string, () => string | null][] = [
    ['none', () => null],
    ['a wrong secret', () => basic(worlds.mine.projectId, `${worlds.mine.secretKey.slice(0, -1)}!`)],
    ['no project', () => basic('', worlds.mine.secretKey)],
    ['a project that is not there', () => basic('proj_nobody', worlds.mine.secretKey)],
    ['the key of another project', () => basic(worlds.mine.projectId, worlds.other.secretKey)],
    ['a revoked key', () => basic(worlds.mine.projectId, revoked)],
    ['a live key for the sandbox', () => basic(`test-${worlds.mine.projectId}`, worlds.mineLive.secretKey)],
    ['the client key of a project that is not there', () => basic('test-proj_nobody', '')],
  ]

  test.each(wrong)('are one and the same 401 on every operation: %s', async (what, make) => {
    const authorization = make()
    const headers: Record<string, string> = authorization === null ? {} : { authorization }
    const problems = await tryAll(what, NAMES, async (name) => {
      const expected = await nobodysAnswer(name)
      const told = await ask(name, addressOf(name, worlds.mine), headers)
      return differs(told, refusal(401, 'request.authentication.invalid', expected))
    })
    expect(problems).toEqual([])
  })
})

describe('a client key', () => {
  const clients: [string, () => string][] = [
    ['of the project', () => basic(`test-${worlds.mine.projectId}`, '')],
    ['of another project', () => basic(`test-${worlds.other.projectId}`, '')],
    ['of the other environment', () => basic(worlds.mine.projectId, '')],
  ]

  test.each(clients)('%s is the same 401 on every operation that is the merchant’s', async (what, make) => {
    const merchants = NAMES.filter((name) => !isOpen(name))
    const problems = await tryAll(`client key ${what}`, merchants, async (name) => {
      const expected = await nobodysAnswer(name)
      return differs(await ask(name, addressOf(name, worlds.mine), { authorization: make() }), expected)
    })
    expect(problems).toEqual([])
  })

  test.each(clients.slice(1))('%s finds no object, as if it were nobody’s', async (what, make) => {
    expect(
      await triedAgainstNobody(`client key ${what}, objects`, OBJECTS.filter(isOpen), { authorization: make() }),
    ).toEqual([])
  })

  test('with the client secret of another invoice is refused as with one that is nobody’s', async () => {
    const vault = createVault(TEST_KEYS)
    const authorization = basic(`test-${worlds.mine.projectId}`, '')
    const names = OBJECTS.filter((name) => isOpen(name) && !name.includes('/cards'))
    const secretsOfOthers = [worlds.other, worlds.mineLive].map((world) => vault.clientSecretOf(world.id('invoice')))
    for (const secret of secretsOfOthers) {
      const problems = await tryAll('client secret of another invoice', names, async (name) => {
        const address = addressOf(name, worlds.mine)
        const withSecret = (text: string) => ask(name, address, { authorization, 'x-service-client-secret': text })
        const [told, nobodys] = [await withSecret(secret), await withSecret(vault.clientSecretOf('iv_Unknown'))]
        if (told.status < 400 || told.status >= 500) return JSON.stringify(told)
        return differs(told, nobodys)
      })
      expect(problems).toEqual([])
    }
  })
})

describe('a secret key', () => {
  test('without the permission is the same 403, whether the object is there or not', async () => {
    const problems = await tryAll('no permission', NAMES, async (name) => {
      const { permission = 'read' } = OPERATIONS[name] ?? {}
      const headers = { authorization: basic(worlds.mine.projectId, lacking.get(permission) ?? '') }
      const owners: readonly Owner[] = [worlds.mine, worlds.other, NOBODY]
      const answers = await Promise.all(owners.map((owner) => ask(name, addressOf(name, owner), headers)))
      for (const told of answers) {
        const problem = differs(told, refusal(403, 'request.authentication.missing-permission', answers[0] as Told))
        if (problem !== null) return problem
      }
      return answers[0]?.body.message === `The secret key lacks the permission "${permission}".`
        ? null
        : 'another message'
    })
    expect(problems).toEqual([])
  })

  const strangers: [string, () => World][] = [
    ['of another project', () => worlds.other],
    ['of another project and environment', () => worlds.otherLive],
    ['of the sandbox, on what is live', () => worlds.mineLive],
  ]

  test.each(strangers)('finds no object %s, as if it were nobody’s', async (what, owner) => {
    const { projectId, secretKey } = worlds.mine
    const headers = { authorization: basic(projectId, secretKey) }
    expect(await triedAgainstNobody(what, OBJECTS, headers, owner())).toEqual([])
  })

  test('that is live finds no object of the sandbox, as if it were nobody’s', async () => {
    const { projectId, secretKey } = worlds.mineLive
    const headers = { authorization: basic(projectId, secretKey) }
    expect(await triedAgainstNobody('live key on the sandbox', OBJECTS, headers, worlds.mine)).toEqual([])
  })

  test.each(strangers)('finds nothing %s below an object of its own', async (what, owner) => {
    const headers = { authorization: basic(worlds.mine.projectId, worlds.mine.secretKey) }
    const problems = await tryAll(`below, ${what}`, OBJECTS.filter(namesObjectBelow), async (name) => {
      const told = await ask(name, addressOf(name, worlds.mine, owner()), headers)
      const nobodys = await ask(name, addressOf(name, worlds.mine, NOBODY), headers)
      return told.status === 404 ? differs(told, nobodys) : JSON.stringify(told)
    })
    expect(problems).toEqual([])
  })

  test.each(['mine', 'mineLive', 'other', 'otherLive'] as const)(
    'of %s lists what is its own and nothing else',
    async (which) => {
      const { mine, mineLive, other, otherLive } = worlds
      const { [which]: world } = worlds
      const headers = { authorization: basic(world.projectId, world.secretKey) }
      const foreign = [mine, mineLive, other, otherLive].filter(({ name }) => name !== world.name)
      const problems = await tryAll(`lists of ${which}`, NAMES.filter(isList), async (name) => {
        const { status, body } = await ask(name, `${addressOf(name, world)}?limit=100`, headers)
        const text = JSON.stringify(body)
        const shown = foreign.flatMap(({ id }) => KINDS.map(id)).filter((id) => text.includes(`"${id}"`))
        // The request log has what this test has asked; everything else has one object of each kind.
        const isOne = body.total_count === 1 || name === 'GET /api-requests'
        return status === 200 && shown.length === 0 && isOne ? null : `${status}, ${text.slice(0, 300)}, ${shown}`
      })
      expect(problems).toEqual([])
    },
  )

  test('has the database asked the same of a foreign object as of one that nobody has', async () => {
    const headers = { authorization: basic(worlds.mine.projectId, worlds.mine.secretKey) }
    const statements = (name: string, owner: Owner) =>
      recordStatements(api.database, async () => void (await ask(name, addressOf(name, owner), headers)))
    const different: string[] = []
    // One after the other, since whoever records would record what others ask.
    for (const name of OBJECTS) {
      const [foreign, nobodys] = [await statements(name, worlds.other), await statements(name, NOBODY)]
      expect(foreign.length).toBeGreaterThan(0)
      if (foreign.join('\n') !== nobodys.join('\n')) different.push(name)
    }
    expect(different).toEqual([])
  })
})

/** Every operation is 404 on the objects of somebody else, and the very same for those that nobody has. */
async function triedAgainstNobody(
  table: string,
  names: readonly string[],
  headers: Record<string, string>,
  owner: Owner = worlds.mine,
): Promise<string[]> {
  return tryAll(table, names, async (name) => {
    const told = await ask(name, addressOf(name, owner), headers)
    const nobodys = await ask(name, addressOf(name, NOBODY), headers)
    return [404, refusedUnseen(name, headers)].includes(told.status) ? differs(told, nobodys) : JSON.stringify(told)
  })
}

/** What a client may do with nobody's invoice is refused before the invoice is looked for. */
function refusedUnseen(name: string, { authorization = '' }: Record<string, string>): number | undefined {
  const isClient = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().endsWith(':')
  return isClient && name === 'POST /invoices/:id/increment_authorization' ? 401 : undefined
}

test('so many cells of the matrix were tried', () => {
  const tried = [...cells.values()].reduce((sum, count) => sum + count, 0)
  process.stderr.write(
    `Authorization matrix: ${NAMES.length} operations, ${cells.size} kinds of callers, ${tried} cells\n`,
  )
  expect(tried).toBeGreaterThan(800)
})
