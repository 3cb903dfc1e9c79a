/** Jest runs the same TypeScript that Node runs: swc strips the types, modules stay ES modules. */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testEnvironment: 'node',
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/slow-files-first.mjs',
  // Tests share one PostgreSQL and one Temporal server; more workers than this only make them wait for each other. One of
  // them only waits for minutes, since it lets webhooks be retried in real time.
  maxWorkers: 3,
  // Real servers answer in milliseconds, on a busy machine in seconds; a test that waits longer than this hangs.
  testTimeout: 60_000,
}
