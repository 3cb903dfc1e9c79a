/**
 * Asks the limiter as fast as it can, as an API process does: with a pool of connections of its own, and `admitKey` for every
 * request. Ends with the process that started it.
 */
import { openSync, writeSync } from 'node:fs'
import { MikroORM } from '@mikro-orm/postgresql'
import { createKeyAdmission } from '../../src/rate-limit/key-admission.ts'
import { ADMITTED, type CallerTask, REFUSED } from './callers.ts'

const { databaseUrl, question, concurrency, recordFile } = JSON.parse(String(process.argv[2])) as CallerTask
process.on('disconnect', () => process.exit())

// Getting to know the entities takes most of a start, and the statements of the limiter need none of them.
const orm = await MikroORM.init({
  clientUrl: databaseUrl,
  entities: [],
  discovery: { warnWhenNoEntities: false },
  pool: { min: 0, max: concurrency },
})
// The connections are there before anything counts.
await Promise.all(Array.from({ length: concurrency }, () => orm.em.fork().execute('select pg_sleep(0.05)')))
const admitKey = createKeyAdmission(orm)
const record = openSync(recordFile, 'a')
process.send?.('ready')

await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (;;) {
      const admitted = await admitKey(question)
      writeSync(record, admitted?.usage.isAllowed === true ? ADMITTED : REFUSED)
    }
  }),
)
