import { afterEach, describe, expect, test } from '@jest/globals'
import { createDnsResolver, DNS_WAITS } from '../../src/webhooks/resolve-host.ts'
import { type DnsAnswer, type DnsQuestion, makeNameServer, type NameServer } from '../support/name-server.ts'

/** A name of which nobody tells anything is given up after three times the first. */
const WAITS = { queryMs: 300, otherFamilyMs: 50 }

const servers: NameServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function resolver(answer: (question: DnsQuestion) => DnsAnswer) {
  const nameServer = await makeNameServer(answer)
  servers.push(nameServer)
  const resolve = createDnsResolver({ servers: [nameServer.server], waits: WAITS })
  return { resolve, questions: nameServer.questions }
}

const addressOf = ({ type }: DnsQuestion): DnsAnswer =>
  type === 'A' ? [{ type, data: '1.1.1.1' }] : type === 'AAAA' ? [{ type, data: '2606:4700:4700::1111' }] : []

describe('a look-up of a host', () => {
  test('fails where neither family has an address', async () => {
    const unknown = await resolver(() => ({ code: 3 }))
    await expect(unknown.resolve('gone.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    const empty = await resolver(() => [])
    await expect(empty.resolve('empty.example')).rejects.toMatchObject({ code: 'ENODATA' })
  })

  test('asks for the name as it is, and completes it by no search list', async () => {
    const { resolve, questions } = await resolver(() => ({ code: 3 }))
    for (const name of ['database', 'postgres.production', 'gone.example', 'rooted.example.']) {
      await expect(resolve(name)).rejects.toThrow()
    }
    expect(new Set(questions.map(({ name }) => name))).toEqual(
      new Set(['database', 'postgres.production', 'gone.example', 'rooted.example']),
    )
  })

  test('knows neither the hosts file nor the addresses of this machine', async () => {
    const { resolve } = await resolver(() => ({ code: 3 }))
    await expect(resolve('localhost')).rejects.toThrow()
  })

  test('waits for a server and for the other family as long as a delivery allows', () => {
    expect(DNS_WAITS).toEqual({ queryMs: 1_500, otherFamilyMs: 1_000 })
  })

  test.each(['A', 'AAAA'] as const)('waits a short time for the rest once it has addresses of %s', async (known) => {
    const { resolve } = await resolver((question) =>
      question.type === known && question.name === 'merchant.example' ? addressOf(question) : 'silence',
    )
    // Of which nobody tells anything is waited for as long as every try of a question takes.
    let isDeadOver = false
    void resolve('dead.example').catch(() => {
      isDeadOver = true
    })
    expect(await resolve('merchant.example')).toHaveLength(1)
    expect(isDeadOver).toBe(false)
  })

  test.each(['A', 'AAAA'] as const)('succeeds with addresses of %s though the other question fails', async (known) => {
    const { resolve } = await resolver((question) => (question.type === known ? addressOf(question) : { code: 2 }))
    expect(await resolve('merchant.example')).toHaveLength(1)
  })

  test('does not wait for the look-ups of names whose servers are dead', async () => {
    const { resolve } = await resolver((question) =>
      question.name.startsWith('dead') ? 'silence' : addressOf(question),
    )
    let ended = 0
    const dead = Array.from({ length: 64 }, (_, index) =>
      resolve(`dead-${index}.example`).catch(() => {
        ended += 1
        return 'failed'
      }),
    )
    expect(await resolve('merchant.example')).toHaveLength(2)
    expect(ended).toBe(0)
    expect(new Set(await Promise.all(dead))).toEqual(new Set(['failed']))
  })
})
