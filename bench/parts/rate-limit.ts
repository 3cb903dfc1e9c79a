import { killAll, measureAll } from '../rate-limit/measure.ts'
import { type Options, readOptions } from '../rate-limit/options.ts'
import { startStage } from '../rate-limit/stage.ts'
import type { Part, PartContext, PartResult } from './part.ts'

export const part: Part = {
  name: 'rate-limit',
  title: 'Rate limiter',
  about: 'What the limiter costs a request; then processes that share a bucket are killed, and none over-admits.',
  stage: 'none',
  run: measure,
}

/** As `npm run bench:rate-limit` does without options. */
async function measure({ quick, quietly, repeats, say, shutdown }: PartContext): Promise<PartResult> {
  const usual = readOptions([]) as Options
  const options = quick ? { ...usual, runSeconds: 1, killSeconds: 5 } : usual
  const stage = await startStage(shutdown, say)
  const { one, all, figures } = await measureAll(stage, { ...options, repeats, quietly, say })
  say('Killing processes that share a bucket')
  const audit = await killAll(stage, options)
  return { figures, audit: { ...audit }, repeats: [...one, ...all] }
}
