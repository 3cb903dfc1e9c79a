import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { SerialQueue } from '../../workflows/serial-queue.ts'

/** A step that writes down when it begins and ends, and ends when it is told to. */
function makeStep(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const step = async () => {
    log.push(`${name} begins`)
    try {
      return await promise
    } finally {
      log.push(`${name} ends`)
    }
  }
  return { step, succeed: () => resolve(name), fail: () => reject(new Error(name)) }
}

test('the steps of a payment run one after the other, in the order of their arrival', async () => {
  const queue = new SerialQueue()
  const log: string[] = []
  const [first, second] = [makeStep('first', log), makeStep('second', log)]
  const answers = Promise.all([queue.run(first.step), queue.run(second.step)])
  second.succeed()
  await nextTurn()
  expect(log).toEqual(['first begins'])
  first.succeed()
  expect(await answers).toEqual(['first', 'second'])
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('a step that throws does not block the later ones of its payment, and only its own caller hears of it', async () => {
  const queue = new SerialQueue()
  const log: string[] = []
  const [first, second] = [makeStep('first', log), makeStep('second', log)]
  const refused = expect(queue.run(first.step)).rejects.toThrow('first')
  const answer = queue.run(second.step)
  first.fail()
  second.succeed()
  await refused
  expect(await answer).toBe('second')
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  expect(await queue.run(async () => 'third')).toBe('third')
})

test('a payment is idle once the steps have ended that came while it was waited for', async () => {
  const queue = new SerialQueue()
  const log: string[] = []
  const [first, second] = [makeStep('first', log), makeStep('second', log)]
  const steps = [queue.run(first.step)]
  const idle = queue.untilIdle().then(() => log.push('idle'))
  steps.push(queue.run(second.step))
  first.succeed()
  await nextTurn()
  second.succeed()
  await Promise.all([...steps, idle])
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'idle'])
})
