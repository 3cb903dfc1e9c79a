/**
 * `npm run check:chart`: lints the Helm chart, renders it with several values, and holds what comes out to the schemas of
 * Kubernetes and to what production needs. It is no part of `npm test`: helm takes minutes to build.
 */
import { runScript } from '../src/processes/run-process.ts'
import { checkRendered } from './chart/check-rendered.ts'
import { openHelm } from './chart/helm.ts'
import { openKubernetesSchemas } from './chart/kubernetes-schemas.ts'
import { EVERYTHING, LEAST, WRONG } from './chart/values.ts'

await runScript(async (say) => {
  const helm = await openHelm(say)
  const schemas = await openKubernetesSchemas(say)
  for (const values of [LEAST, EVERYTHING]) {
    await helm.lint(values)
    const rendered = await helm.render(values)
    checkRendered(rendered.objects)
    await schemas?.check(rendered.text)
  }
  say('The chart is linted, and renders what production needs')
  for (const { values, why } of WRONG) {
    const complaint = await helm.render(values).then(
      () => null,
      (error: Error) => error.message,
    )
    if (complaint === null) throw new Error(`The chart renders with wrong values: ${why}`)
  }
  say(`${WRONG.length} kinds of wrong values are refused`)
  await schemas?.provePlanted()
})
