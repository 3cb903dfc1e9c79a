import { randomUUID } from 'node:crypto'
import { Agent, request as send } from 'node:http'
import type { Stage } from './stage.ts'

/** A request, and what it tries. */
export interface Attack {
  method: string
  path: string
  name: string
  body: string
  isForm: boolean
}

/** What a request took of the process, in milliseconds. */
export interface Taken {
  attack: Attack
  status: number
  /**
   * CPU time of the thread of the event loop from the first byte to the answer and the row of the request log, client
   * included: what nobody else is answered in. Not by the clock, which other programs on the machine move as well.
   */
  busyMs: number
  /** The same body read by JSON.parse, or split where it is a form. */
  floorMs: number
}

/** Sends requests one after the other over one connection. */
export function createAttacker({ baseUrl, authorization, flush }: Stage) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(baseUrl)

  function exchange({ method, path, body, isForm }: Attack): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization,
        // The body of a keyed request is written canonically and hashed as well.
        ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(body !== '' && {
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const request = send({ hostname, port, method, path, headers, agent }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  return {
    /** @param repeats how often it is sent; the mean counts, since the time of a thread is told in steps of milliseconds. */
    async measure(attack: Attack, repeats: number): Promise<Taken> {
      let status = 0
      const before = process.threadCpuUsage()
      for (let index = 0; index < repeats; index += 1) {
        status = await exchange(attack)
        // The request log takes its row after the answer.
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      }
      const { user, system } = process.threadCpuUsage(before)
      await flush()
      return { attack, status, busyMs: (user + system) / 1000 / repeats, floorMs: floorOf(attack, repeats) }
    },
    close: () => agent.destroy(),
  }
}

function floorOf({ body, isForm }: Attack, repeats: number): number {
  const before = process.threadCpuUsage()
  for (let index = 0; index < repeats; index += 1) {
    try {
      if (isForm) body.split('&')
      else if (body !== '') JSON.parse(body)
    } catch {
      // What is no JSON is read up to the place where that shows.
    }
  }
  return process.threadCpuUsage(before).user / 1000 / repeats
}
