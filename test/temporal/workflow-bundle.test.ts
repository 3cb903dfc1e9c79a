import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'

const folders: string[] = []
let root: string
let cacheFolder: string
/** What was made, in order. */
let made: string[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdfast-bundle-'))
  folders.push(root)
  cacheFolder = join(root, 'cache')
  made = []
  for (const [file, content] of Object.entries({
    'workflows/index.ts': 'export {}',
    'domain/routing/rule.ts': 'export const rule = 1',
    'package-lock.json': '{ "packages": {} }',
    'node_modules/.package-lock.json': '{ "installed": {} }',
  }))
    await write(file, content)
})

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

describe('the bundle of the workflows', () => {
  test.each([
    ['a workflow changes', 'workflows/index.ts', 'export const changed = true'],
    ['a rule in a folder of the domain changes', 'domain/routing/rule.ts', 'export const rule = 2'],
    ['a file is added', 'domain/added.ts', ''],
    ['other packages are wanted', 'package-lock.json', '{ "packages": { "webpack": {} } }'],
    ['other packages are installed', 'node_modules/.package-lock.json', '{ "installed": { "webpack": {} } }'],
  ])('is made anew when %s', async (_, file, content) => {
    expect(await bundle()).toBe('bundle 1')
    await write(file, content)
    expect(await bundle()).toBe('bundle 2')
  })

  test.each([
    ['was cut off', (text: string) => text.slice(0, -10)],
    ['was changed', (text: string) => text.replace('bundle', 'boodle')],
    ['is empty', () => ''],
  ])('is made anew when the file that was kept %s', async (_, damage) => {
    await bundle()
    const [name] = await readdir(cacheFolder)
    const file = join(cacheFolder, name as string)
    await writeFile(file, damage(await readFile(file, 'utf8')))
    expect(await bundle()).toBe('bundle 2')
    expect(await bundle()).toBe('bundle 2')
  })

  test('is not kept when a source was saved while it was made', async () => {
    await bundleWorkflows({
      root,
      cacheFolder,
      make: async () => {
        await write('workflows/index.ts', 'export const late = true')
        return { code: 'half old, half new' }
      },
    })
    expect(await bundle()).toBe('bundle 1')
  })

  test('is made once for the same sources, and the one before it is removed', async () => {
    await bundle()
    expect(await bundle()).toBe('bundle 1')
    await write('workflows/index.ts', 'export const changed = true')
    await bundle()
    expect(made).toHaveLength(2)
    expect(await readdir(cacheFolder)).toHaveLength(1)
  })

  test('is that of the workflows of this service, and the same when it was kept', async () => {
    const first = await bundleWorkflows({ cacheFolder })
    expect(first.code).toContain('paymentWorkflow')
    // Not written out for an older Node, and loaded before any run, after what is to hold for all that is loaded.
    expect(first.code).toContain('this.#queue')
    expect(first.code).toMatch(
      /preloadModules\(\) \{\s+__webpack_require__\([^)]*stack-depth\.ts"\);\s+__webpack_require__\([^)]*workflows\/index\.ts"\);/,
    )
    const second = await bundleWorkflows({
      cacheFolder,
      make: async () => {
        throw new Error('It was kept.')
      },
    })
    expect(second.code === first.code).toBe(true)
  })
})

/** The bundle, which says how many were made before it. */
async function bundle(): Promise<string> {
  const { code } = await bundleWorkflows({
    root,
    cacheFolder,
    make: async () => {
      made.push(`bundle ${made.length + 1}`)
      return { code: made.at(-1) as string }
    },
  })
  return code
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(join(root, file, '..'), { recursive: true })
  await writeFile(join(root, file), content)
}
