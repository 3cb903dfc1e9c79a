import { describe, expect, test } from '@jest/globals'
import { createGiveWay } from '../../src/temporal/give-way.ts'

/** Time goes by hand, in steps of a millisecond. */
function makeTurns() {
  let time = 0
  let sleepers: { until: number; wake: () => void }[] = []
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => void sleepers.push({ until: time + milliseconds, wake }))
  const way = createGiveWay({ now: () => time, sleep })
  const took = new Map<string, number>()
  /** Lets everything run that needs no time. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    way,
    ask: (name: string, maxMs = 1_000) => void way.turn(maxMs).then(() => took.set(name, time)),
    async pass(milliseconds: number) {
      await settle()
      for (const end = time + milliseconds; time < end; ) {
        time += 1
        const due = sleepers.filter(({ until }) => until <= time)
        if (due.length === 0) continue
        sleepers = sleepers.filter((sleeper) => !due.includes(sleeper))
        for (const { wake } of due) wake()
        await settle()
      }
    },
    turns: () => Object.fromEntries(took),
  }
}

describe('who gives way', () => {
  test('goes at once where nothing begins', async () => {
    const { ask, pass, turns } = makeTurns()
    ask('only')
    await pass(0)
    expect(turns()).toEqual({ only: 0 })
  })

  test('waits until nothing has begun for a moment, however often something does', async () => {
    const { way, ask, pass, turns } = makeTurns()
    way.begins()
    ask('first')
    await pass(40)
    way.begins()
    await pass(40)
    expect(turns()).toEqual({})
    await pass(20)
    expect(turns()).toEqual({ first: 90 })
  })

  test('goes one by one, in the order of asking', async () => {
    const { ask, pass, turns } = makeTurns()
    for (const name of ['first', 'second', 'third']) ask(name)
    await pass(200)
    expect(turns()).toEqual({ first: 0, second: 20, third: 40 })
  })

  test('waits no longer than it said, and a crowd of those who may wait longer does not hold it up', async () => {
    const { way, ask, pass, turns } = makeTurns()
    for (let n = 0; n < 200; n += 1) ask(String(n))
    ask('hurried', 200)
    for (let passed = 0; passed < 1_000; passed += 10) {
      way.begins()
      await pass(10)
    }
    const { hurried, ...others } = turns()
    expect(hurried).toBe(200)
    expect(Object.keys(others)).toHaveLength(200)
    expect(Math.max(...Object.values(others))).toBe(1_000)
  })
})
