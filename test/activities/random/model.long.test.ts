import { describeModel } from './model.ts'

/** `HOLDFAST_MODEL_RUNS` makes more payments, `HOLDFAST_MODEL_SEED` others. */
describeModel({
  runs: Number(process.env.HOLDFAST_MODEL_RUNS ?? 150),
  seed: Number(process.env.HOLDFAST_MODEL_SEED ?? 20_261_121),
})
