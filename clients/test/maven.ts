import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The library is compiled for this version of Java. */
const OLDEST_JAVA = 17

/** Why Maven cannot build here; null if it can. */
export function whyNoMaven(): string | null {
  const { stdout, error } = spawnSync('mvn', ['-B', '-v'], { encoding: 'utf8', env: environment() })
  if (error !== undefined)
    return 'there is no Maven; install maven and a JDK, such as "apt-get install maven default-jdk-headless"'
  const [, version = '', runtime = ''] = /Java version: (\d+).*runtime: (.*)/.exec(stdout) ?? []
  if (Number(version) < OLDEST_JAVA)
    return `Maven runs on Java ${version || 'of an unknown version'}, not on ${OLDEST_JAVA} or later`
  return existsSync(join(runtime, 'bin', 'javac')) ? null : 'Maven runs on a Java without a compiler; install a JDK'
}

/** For a Java that runs once and not for long: translating its own code thoroughly would take it more than it saves. */
const QUICK = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

export interface MavenRun {
  exitCode: number | null
  /** By class. */
  tests: Record<string, { run: number; failed: number; skipped: number }>
  output: string
}

/** Builds and tests the project in the folder; ends it when the time is up. */
export async function runMaven(folder: string, settings: Record<string, string>, timeout: number): Promise<MavenRun> {
  const child = spawn('mvn', ['-B', 'test', `-DargLine=${QUICK}`], {
    cwd: folder,
    env: { ...environment(), ...settings },
    timeout,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
    })
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { exitCode, tests: testsIn(output), output }
}

function testsIn(output: string): MavenRun['tests'] {
  const lines = output.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), .* in (\S+)/g)
  return Object.fromEntries(
    [...lines].map(([, run, failures, errors, skipped, name]) => [
      String(name).replace(/^.*\./, ''),
      { run: Number(run), failed: Number(failures) + Number(errors), skipped: Number(skipped) },
    ]),
  )
}

/** Without what a service of another run has left there. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  return { ...Object.fromEntries(others), MAVEN_OPTS: process.env.MAVEN_OPTS ?? `-Xmx1g ${QUICK}` }
}
