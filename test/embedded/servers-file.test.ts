import { beforeAll, describe, expect, test } from '@jest/globals'
import { withRunningServers, writeServersFile } from '../../src/embedded/servers-file.ts'
import { folderForFile } from '../support/for-file.ts'

const RUNNING = {
  databaseUrl: 'postgresql://u:p@127.0.0.1:1/running',
  temporalAddress: '127.0.0.1:2',
  encryptsPayloads: false,
  temporalUiUrl: 'http://127.0.0.1:3',
}

const DATA_DIR = folderForFile()
beforeAll(async () => {
  await writeServersFile(DATA_DIR, RUNNING)
})

describe('the servers of a running npm start', () => {
  test.each([
    ['an address', { DATABASE_URL: 'postgresql://given/x' }],
    ['a file with the address', { DATABASE_URL_FILE: '/run/secrets/url' }],
  ])('are not taken for a database that is given as %s', (_, given) => {
    const environment = withRunningServers({ DATA_DIR, ...given })
    expect(environment).toEqual({
      DATA_DIR,
      ...given,
      TEMPORAL_ADDRESS: RUNNING.temporalAddress,
      PAYLOAD_ENCRYPTION: 'off',
      TEMPORAL_UI_URL: RUNNING.temporalUiUrl,
    })
  })

  test('are taken where none is given', () => {
    expect(withRunningServers({ DATA_DIR })).toMatchObject({ DATABASE_URL: RUNNING.databaseUrl })
  })
})
