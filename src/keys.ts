/**
 * `npm run keys`: makes the keys of a service whose servers are not embedded, unless they exist. With `--payload-keys FILE` it
 * also writes the value of PAYLOAD_KEYS to that file, for a codec server that is to have no other key.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { ringText } from './keys/keys-file.ts'
import { provideKeys } from './keys/process-keys.ts'
import { runScript } from './processes/run-process.ts'

const OPTIONS = { 'payload-keys': { type: 'string' } } as const

await runScript(async (say) => {
  const { 'payload-keys': payloadFile } = parseArgs({ options: OPTIONS }).values
  const config = readConfig()
  const { payload } = await provideKeys(config, say)
  say(config.keys === undefined ? `The keys lie in ${config.dataFolder}/keys.json` : 'The keys are in the environment')
  if (payloadFile === undefined) return
  await writeFile(payloadFile, `${ringText(payload)}\n`, { mode: 0o600 })
  say(`PAYLOAD_KEYS alone lies in ${payloadFile}`)
})
