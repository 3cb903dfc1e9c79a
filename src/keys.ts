/** `npm run keys`: makes the keys of a service whose servers are not embedded, unless they exist. */
import { readConfig } from './config.ts'
import { provideKeys } from './keys/process-keys.ts'
import { runScript } from './processes/run-process.ts'

await runScript(async (say) => {
  const config = readConfig()
  await provideKeys(config, say)
  say(config.keys === undefined ? `The keys lie in ${config.dataFolder}/keys.json` : 'The keys are in the environment')
})
