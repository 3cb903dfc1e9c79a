import { expect, test } from '@jest/globals'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { type InputDefinition, readInput } from '../../src/http/input/input.ts'

const CPU_MS_MAX = 20
const BODY_BYTES = 60_000

/** Texts that are hard on patterns, as long as a body. */
const WORST = ['a', ' ', '4 ', 'a.', 'a@', '1:', '://a', 'T00:00'].map(
  (part) => `${part.repeat(Math.floor(BODY_BYTES / part.length))}!`,
)

const requests = ENDPOINTS.flatMap(({ body }) => body ?? [])
/** A field of the same name is the same in every request, but for a few. */
const FIELDS = new Map(
  requests.flatMap(({ input }) => input.names.map((name) => [name, input as InputDefinition<unknown>] as const)),
)

function cpuOf(input: InputDefinition<unknown>, name: string, text: string): number {
  const [first = '', ...inner] = name.split('.')
  const value = inner.reduceRight<unknown>((within, step) => ({ [step]: within }), text)
  const fields = { [first]: input.lists.includes(first) ? [value] : value }
  const before = process.threadCpuUsage()
  try {
    readInput(input, { fields, isForm: false })
  } catch {
    // It is refused.
  }
  return process.threadCpuUsage(before).user / 1_000
}

test('no text of the length of a body takes 20 ms of CPU in any field', () => {
  const isSlow = (...asked: Parameters<typeof cpuOf>) => cpuOf(...asked) > CPU_MS_MAX && cpuOf(...asked) > CPU_MS_MAX
  const slow = [...FIELDS].flatMap(([name, input]) =>
    WORST.filter((text) => isSlow(input, name, text)).map((text) => `${name}: ${text.slice(0, 12)}`),
  )
  expect(slow).toEqual([])
})
