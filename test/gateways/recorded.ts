import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../domain/operation.ts'
import { listen } from '../support/listen.ts'

/** What was asked and answered in one step, as its file has it. */
interface Recording {
  /** The pages of the gateway's documentation that it was written from. */
  source: string
  step: string
  exchanges: { request: string; answer: { status: number; body: unknown } }[]
  outcome: Outcome
}

/** Of each step that recordings name the call on an adapter whose gateway is at an address. */
export type Steps = Readonly<Record<string, (address: string) => Promise<Outcome>>>

/**
 * Replays the recordings of a folder through an adapter: it makes these requests, in this order and no other, and makes of the
 * answers this outcome.
 *
 * @param versioned what stands before each path and is not recorded, such as `/v72`
 */
export function describeRecordings(gateway: string, folder: URL, steps: Steps, versioned = /^$/): void {
  const names = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.json'))

  describe(`recorded exchanges with ${gateway}`, () => {
    test('are there for every step, and every step that they name is known', () => {
      const recorded = new Set(names.map((name) => read(folder, name).step))
      expect([...recorded].sort()).toEqual(Object.keys(steps).sort())
    })

    test.each(names)('%s', async (name) => {
      const { step, exchanges, outcome } = read(folder, name)
      const asked: string[] = []
      const server = await listen((request, response) => {
        const [path = ''] = (request.url ?? '').split('?')
        asked.push(`${request.method} ${path.replace(versioned, '')}`)
        const { status, body } = exchanges[asked.length - 1]?.answer ?? { status: 599, body: {} }
        request.resume().on('end', () => {
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        })
      })
      try {
        const told = await steps[step]?.(server.url)

        expect(asked).toEqual(exchanges.map(({ request }) => request))
        expect(told).toEqual(outcome)
      } finally {
        await server.close()
      }
    })
  })
}

function read(folder: URL, name: string): Recording {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Recording
}
