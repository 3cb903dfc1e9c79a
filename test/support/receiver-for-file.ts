import { runningForFile } from './for-file.ts'
import { makeReceiver, type Receiver } from './receiver.ts'

export const receiverForFile = (): Receiver => runningForFile(makeReceiver)
