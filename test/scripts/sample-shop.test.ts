import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { orders } from '../../scripts/sample-shop/story.ts'
import { ROOT } from '../../scripts/site/pages.ts'

test.each(Array.from({ length: 7 }, (_, weekday) => [new Date(Date.UTC(2026, 7, 25 + weekday, 12))] as const))(
  'on %s the sample shop has all of the month before, and numbers below those of the orders that are shown',
  (today) => {
    const made = orders(today.getTime())
    const monthBefore = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1)
    expect(today.getTime() - (made[0]?.hoursAgo ?? 0) * 3_600_000).toBeLessThan(monthBefore)
    const numbers = made.map(({ number }) => Number(number))
    expect(new Set(numbers).size).toBe(made.length)
    expect(Math.max(...numbers)).toBeLessThan(4711)
  },
)

test('only the sandbox of a running npm start is filled, whatever database the environment names', () => {
  const env = { ...process.env, DATA_DIR: join(tmpdir(), 'nobody'), DATABASE_URL: 'postgresql://live.example/live' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/sample-shop.ts'], { cwd: ROOT, env })
  expect({ status, said: `${stdout}${stderr}` }).toEqual({
    status: 1,
    said: expect.stringMatching(
      /^No sandbox runs on .*nobody\. Run "npm start" in another terminal, and then this again\.\n$/,
    ),
  })
})
