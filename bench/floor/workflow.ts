/** The least that Temporal can be asked for: a workflow that returns at once. */
export async function emptyWorkflow(): Promise<void> {}
