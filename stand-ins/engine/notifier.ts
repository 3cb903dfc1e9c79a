import { setTimeout as sleep } from 'node:timers/promises'
import { FAULTS, type Faults } from './faults.ts'
import type { Post, Step } from './model.ts'

/** Receivers of notifications that answer later than this have not accepted. */
const PATIENCE_MS = 10_000

interface Options<Payload> {
  posts(payloads: readonly Payload[]): Post[]
  retrySeconds: readonly number[]
  /** By how many times the waits are shorter than the gateway's. */
  hurry: number
  faults: Faults
  /** Ends all waits. */
  signal: AbortSignal
}

/** Sends notifications to every receiver, each until it was accepted or the gateway would give up. */
export function createNotifier<Payload>({ posts, retrySeconds, hurry, faults, signal }: Options<Payload>) {
  let receivers: readonly string[] = []
  /** Waits until the next one was sent. */
  let keptBack: (() => void)[] = []
  let lost: { step: Step; payload: Payload }[] = []
  let underWay = 0

  const counted = async (work: unknown): Promise<void> => {
    underWay += 1
    try {
      await work
    } finally {
      underWay -= 1
    }
  }

  async function deliver(receiver: string, payload: Payload): Promise<void> {
    for (const seconds of [0, ...retrySeconds]) {
      if (seconds > 0) await sleep((seconds * 1_000) / hurry, undefined, { signal, ref: false })
      const answers = await Promise.all(posts([payload]).map((post) => send(receiver, post)))
      if (answers.every((status) => status >= 200 && status < 300)) return
    }
  }

  /** The status of the answer; 0 without one. */
  async function send(receiver: string, { body, headers }: Post): Promise<number> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    try {
      const answer = await fetch(receiver, { method: 'POST', body, headers, redirect: 'manual', signal: patience })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 0
    }
  }

  const sendToAll = (payload: Payload) => {
    for (const receiver of receivers) counted(deliver(receiver, payload)).catch(() => undefined)
    for (const sendIt of keptBack.splice(0)) sendIt()
  }

  function keepBack(payload: Payload, ms: number): void {
    const over = new AbortController()
    const once = () => {
      if (over.signal.aborted) return
      over.abort()
      keptBack = keptBack.filter((one) => one !== once)
      sendToAll(payload)
    }
    keptBack.push(once)
    const waited = sleep(ms, undefined, { signal: AbortSignal.any([signal, over.signal]), ref: false })
    void counted(waited.then(once, () => undefined))
  }

  return {
    get receivers() {
      return receivers
    },
    notifyAt(urls: readonly string[]): void {
      receivers = urls
    },
    async notify(step: Step, payload: Payload): Promise<void> {
      const send = () => sendToAll(payload)
      const found = faults.striking('notification', step)
      if (found === null) return send()
      const { strike } = FAULTS[found.name]
      if (!('notification' in strike)) return
      const wait = () => sleep(found.ms, undefined, { signal, ref: false })
      const lose = () => void lost.push({ step, payload })
      await counted(strike.notification({ send, wait, keepBack: () => keepBack(payload, found.ms), lose }))
    },
    /** How many wait to be sent, or to be accepted. Lost ones do not count. */
    underWay: () => underWay,
    /** Sends the lost ones of this step after all, as a gateway does whose customer asks for it. */
    sendLost(wanted: Step): void {
      const found = lost.filter(({ step }) => step === wanted)
      lost = lost.filter(({ step }) => step !== wanted)
      for (const { payload } of found) sendToAll(payload)
    },
    send,
  }
}
