import { describe, expect, test } from '@jest/globals'
import { drawDelay, drawFault } from '../../src/gateways/simulator/faults.ts'
import {
  type FaultSettings,
  readFaultSettings,
  simulatorSettingsProblem,
} from '../../src/gateways/simulator/settings.ts'

const read = (settings: Record<string, string>): FaultSettings => {
  const read = readFaultSettings(settings)
  if (read === null) throw new Error(simulatorSettingsProblem(settings) ?? 'There is no problem.')
  return read
}

const references = Array.from({ length: 20_000 }, (_, index) => `tr_op_${index}`)
const unused = () => {
  throw new Error('Nothing is left to chance.')
}

describe('the settings of an account at the simulator', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ delay: '5' }, /no setting delay; there are delay_ms, /],
    [{ delay_ms: '-1' }, /delay_ms must be a whole number of milliseconds from 0 to 60000/],
    [{ delay_ms: '1.5' }, /delay_ms/],
    [{ delay_ms: '60001' }, /delay_ms/],
    [{ delay_ms: '' }, /delay_ms/],
    [{ hang_ms: 'long' }, /hang_ms/],
    [{ delay_p50_ms: '20' }, /go together/],
    [{ delay_p99_ms: '20' }, /go together/],
    [{ delay_p50_ms: '20', delay_p99_ms: '19' }, /delay_p99_ms must not be less than delay_p50_ms/],
    [{ delay_ms: '1', delay_p50_ms: '20', delay_p99_ms: '90' }, /delay_ms excludes/],
    [{ fault_rate: '1.1' }, /fault_rate must be a share of all calls from 0 to 1/],
    [{ fault_rate: '5%' }, /fault_rate/],
    [{ fault_rate: '-0.1' }, /fault_rate/],
    [{ faults: 'lost,exploded' }, /faults must be one or several of lost, garbled, failed, refused/],
    [{ faults: '' }, /faults/],
    [{ duplicate_notifications: 'yes' }, /duplicate_notifications must be true or false/],
    [{ reverse_notifications: '1' }, /reverse_notifications/],
    [{ late_notifications_ms: '86400001' }, /late_notifications_ms/],
    [{ seed: 'two words' }, /seed/],
    [{ account: 'two words' }, /account must be 1 to 64 letters/],
    [{ base_url: 'http://127.0.0.1:3200' }, /no setting base_url/],
  ])('%j is refused, and no call is made with it', (settings, problem) => {
    expect(simulatorSettingsProblem(settings)).toMatch(problem)
    expect(readFaultSettings(settings)).toBeNull()
  })

  test('without any of them nothing is out of the ordinary', () => {
    expect(simulatorSettingsProblem({})).toBeNull()
    expect(read({})).toEqual({
      hang_ms: 0,
      fault_rate: 0,
      faults: ['lost', 'garbled', 'failed', 'refused'],
      duplicate_notifications: false,
      late_notifications_ms: 0,
      reverse_notifications: false,
      settled_notifications: false,
    })
  })

  test('are read all together', () => {
    const settings = {
      delay_p50_ms: '40',
      delay_p99_ms: '400',
      hang_ms: '15000',
      fault_rate: '0.25',
      faults: 'lost, failed',
      duplicate_notifications: 'true',
      late_notifications_ms: '2000',
      reverse_notifications: 'true',
      settled_notifications: 'true',
      seed: 'spring',
      account: 'acct_2',
    }

    expect(simulatorSettingsProblem(settings)).toBeNull()
    expect(read(settings)).toEqual({
      delay_p50_ms: 40,
      delay_p99_ms: 400,
      hang_ms: 15_000,
      fault_rate: 0.25,
      faults: ['lost', 'failed'],
      duplicate_notifications: true,
      late_notifications_ms: 2_000,
      reverse_notifications: true,
      settled_notifications: true,
      seed: 'spring',
      account: 'acct_2',
    })
  })
})

describe('what is left to chance', () => {
  const shareOfFaults = (settings: FaultSettings) =>
    references.filter((reference) => drawFault(settings, reference, unused) !== null).length / references.length

  test('is nothing where no call is to go wrong, and every call where all are', () => {
    expect(drawFault(read({}), 'tr_op_1', unused)).toBeNull()
    expect(shareOfFaults(read({ fault_rate: '0', seed: 'a' }))).toBe(0)
    expect(shareOfFaults(read({ fault_rate: '1', seed: 'a' }))).toBe(1)
  })

  test('is the share that was asked for, of each fault alike', () => {
    const settings = read({ fault_rate: '0.2', seed: 'a' })

    expect(Math.abs(shareOfFaults(settings) - 0.2)).toBeLessThan(0.01)
    for (const fault of settings.faults) {
      const count = references.filter((reference) => drawFault(settings, reference, unused) === fault).length
      expect(Math.abs(count / references.length - 0.05)).toBeLessThan(0.01)
    }
  })

  test('is the same for the same seed and reference, and another for another seed', () => {
    const settings = { fault_rate: '0.5', delay_p50_ms: '40', delay_p99_ms: '400' }
    const fates = (seed: string) =>
      references.slice(0, 100).map((reference) => {
        const seeded = read({ ...settings, seed })
        return [drawFault(seeded, reference, unused), drawDelay(seeded, reference, unused)]
      })

    expect(fates('a')).toEqual(fates('a'))
    expect(fates('a')).not.toEqual(fates('b'))
  })

  test('is drawn anew without a seed', () => {
    const numbers = [0.49, 0.1, 0.51]
    const random = () => numbers.shift() ?? 0
    const settings = read({ fault_rate: '0.5', faults: 'failed' })

    expect(drawFault(settings, 'tr_op_1', random)).toBe('failed')
    expect(drawFault(settings, 'tr_op_1', random)).toBeNull()
  })

  test('spreads delays so that half of them are below the first bound and one in a hundred is above the second', () => {
    const settings = read({ delay_p50_ms: '40', delay_p99_ms: '400', seed: 'a' })
    const delays = references
      .map((reference) => drawDelay(settings, reference, unused))
      .sort((one, other) => one - other)
    const quantile = (share: number) => delays[Math.floor(share * delays.length)] ?? 0

    expect(quantile(0.5)).toBeGreaterThan(38)
    expect(quantile(0.5)).toBeLessThan(42)
    expect(quantile(0.99)).toBeGreaterThan(340)
    expect(quantile(0.99)).toBeLessThan(470)
    expect(delays[0]).toBeGreaterThan(0)
    expect(delays.at(-1)).toBeLessThanOrEqual(60_000)
  })

  test('leaves a constant delay alone', () => {
    expect(drawDelay(read({ delay_ms: '70' }), 'tr_op_1', unused)).toBe(70)
    expect(drawDelay(read({ delay_p50_ms: '70', delay_p99_ms: '70', seed: 'a' }), 'tr_op_1', unused)).toBeCloseTo(70)
    expect(drawDelay(read({}), 'tr_op_1', unused)).toBe(0)
  })
})
