import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { COLOURS, fileOf, PICTURES } from '../../scripts/pictures/table.ts'
import { ROOT } from '../../scripts/site/pages.ts'

const MADE = Object.keys(PICTURES).flatMap((name) => COLOURS.map((colour) => `docs/images/${fileOf(name, colour)}`))

/** Files of pictures that the pages show, by the repository's paths; the pages of tests show none. */
function shown(): string[] {
  const { stdout } = spawnSync(
    'git',
    ['grep', '-hoE', '--untracked', '(src|srcset)="[^"]*images/[^"]+"', '--', '*.md'],
    { cwd: ROOT },
  )
  const files = stdout.toString().matchAll(/images\/([^"]+)"/g)
  return [...new Set([...files].map(([, file]) => `docs/images/${file}`))]
}

test('the table has every picture that a page shows, in both colours, and no other one', () => {
  expect(shown().toSorted()).toEqual(MADE.toSorted())
  expect(
    readdirSync(join(ROOT, 'docs/images'))
      .map((file) => `docs/images/${file}`)
      .toSorted(),
  ).toEqual(MADE.toSorted())
})

test('pages show no picture by Markdown alone, which knows one colour', () => {
  const { stdout } = spawnSync('git', ['grep', '-lE', '--untracked', '!\\[[^]]*\\]\\(', '--', '*.md'], { cwd: ROOT })
  expect(stdout.toString()).toBe('')
})
