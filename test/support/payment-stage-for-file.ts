import { openForFile } from './for-file.ts'
import { makePaymentStage, type PaymentStageOptions } from './payment-stage.ts'

export const paymentStageForFile = (options: PaymentStageOptions): Awaited<ReturnType<typeof makePaymentStage>> =>
  openForFile(() => makePaymentStage(options))
