/**
 * `npm run keys`: makes the keys of a service whose servers are not embedded, unless they exist. With `--payload-keys FILE` it
 * also writes the value of PAYLOAD_KEYS to that file, for a codec server that is to have no other key.
 */
import { writeFile } from 'node:fs/promises'
import { readConfig } from './config.ts'
import { keysFile, ringText } from './keys/keys-file.ts'
import { provideKeys } from './keys/process-keys.ts'
import { createProgram, runProgram, TERMINAL } from './processes/command-line.ts'
import { say } from './processes/run-process.ts'

const program = createProgram('keys', TERMINAL)
  .description(
    'Makes the six keys of a service in DATA_DIR/keys.json, unless there are any there or in the environment.',
  )
  .option('--payload-keys <file>', 'writes PAYLOAD_KEYS alone to that file as well, for a codec server')
  .action(makeKeys)
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

async function makeKeys({ payloadKeys: payloadFile }: { payloadKeys?: string }): Promise<void> {
  const config = readConfig()
  const { payload } = await provideKeys(config, say)
  if (config.keys === undefined) {
    const file = keysFile(config.dataFolder)
    say(`The keys are in ${file}. Copy it to a safe place, away from the database: cp ${file} /media/safe/`)
  } else say('The keys are in the environment')
  if (payloadFile === undefined) return
  await writeFile(payloadFile, `${ringText(payload)}\n`, { mode: 0o600 })
  say(`PAYLOAD_KEYS alone lies in ${payloadFile}`)
}
