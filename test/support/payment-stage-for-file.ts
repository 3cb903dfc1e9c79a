import { forFile } from './for-file.ts'
import { makePaymentStage, type PaymentStageOptions } from './payment-stage.ts'

export const paymentStageForFile = (options: PaymentStageOptions): Awaited<ReturnType<typeof makePaymentStage>> =>
  forFile(
    () => makePaymentStage(options),
    (stage) => stage.close(),
  )
