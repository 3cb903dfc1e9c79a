import { DefaultFailureConverter } from '@temporalio/common'

/**
 * Puts message and stack of a failure into a payload, which the codec encrypts; what stays in clear is "Encoded failure" and
 * the type. The SDK loads this by its path: once in the process, once in the bundle of the workflows.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true })
