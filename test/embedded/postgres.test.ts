import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MikroORM } from '@mikro-orm/postgresql'
import { isListening } from '../../src/embedded/ports.ts'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'

// A blank in the path, because a person's folder may have one.
let folder: string
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'holdfast-postgres-')), 'my data')
  await mkdir(folder, { recursive: true })
  // Root's temporary folders are closed to the user that runs PostgreSQL.
  await chmod(join(folder, '..'), 0o711)
})
afterAll(() => rm(join(folder, '..'), { recursive: true, force: true }))

const start = (port?: number) => startPostgres({ folder, port, durable: false, log: () => undefined })

async function query(postgres: RunningPostgres, sql: string): Promise<unknown[]> {
  const orm = await MikroORM.init({ clientUrl: postgres.url, entities: [], discovery: { warnWhenNoEntities: false } })
  try {
    return await orm.em.getConnection().execute(sql)
  } finally {
    await orm.close(true)
  }
}

describe('the embedded PostgreSQL', () => {
  test('leaves nothing running when its port is taken, and says which variable chooses another', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    await expect(start(port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken by another program`)
    await expect(start(port)).rejects.toThrow('POSTGRES_PORT')
    server.close()
  })

  test('keeps what was written over a stop, and is version 18', async () => {
    const first = await start()
    await query(first, 'create table kept (word text); insert into kept values (1)')
    await first.stop()
    expect(await isListening(Number(new URL(first.url).port))).toBe(false)
    const second = await start()
    expect(await query(second, 'select word from kept')).toEqual([{ word: '1' }])
    expect(await query(second, 'show server_version')).toEqual([{ server_version: expect.stringMatching(/^18\./) }])
    await second.stop()
  })

  test('ends what a killed run left behind and recovers what that had written', async () => {
    const abandoned = await start()
    await query(abandoned, "create table survived as select 'yes' as answer")
    const next = await start()
    expect(await abandoned.exited).toBe('PostgreSQL ended with code 0')
    expect(await query(next, 'select answer from survived')).toEqual([{ answer: 'yes' }])
    await next.stop()
  })

  test('starts after it was itself killed', async () => {
    const killed = await start()
    const pid = Number.parseInt(await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGKILL')
    expect(await killed.exited).toBe('PostgreSQL ended by SIGKILL')
    await (await start()).stop()
  })

  test('starts although a stranger has the process id in its lock file', async () => {
    await writeFile(join(folder, 'cluster', 'postmaster.pid'), `${process.pid}\n${join(folder, 'cluster')}\n`)
    await (await start()).stop()
  })

  // Only root runs PostgreSQL as somebody else.
  const asRoot = process.getuid?.() === 0 ? test : test.skip
  asRoot('works in a folder that is closed to other users, and leaves nothing outside of it', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'holdfast-closed-'))
    const lines: string[] = []
    const postgres = await startPostgres({ folder: closed, durable: false, log: (line) => lines.push(line) })
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
    const outside = /data in (\S+),/.exec(lines.join())?.[1]
    expect(outside).toMatch(/^\/var\/lib\/holdfast\/[0-9a-f]{16}$/)
    expect(existsSync(String(outside))).toBe(false)
    await rm(closed, { recursive: true })
  })

  test('keeps its password where only its owner can read it', async () => {
    expect((await stat(join(folder, 'password'))).mode & 0o777).toBe(0o600)
  })
})
