// For programs that monitor the service: readiness and metrics.

import { sendText } from '../answers.ts'
import type { Handler } from '../call.ts'

export const answerHealth: Handler = async ({ response, requireReady }) => {
  await requireReady()
  sendText(response, 200, 'text/plain; charset=UTF-8', 'ready\n')
}

export const answerMetrics: Handler = async ({ response, measurements }) =>
  sendText(response, 200, measurements.contentType, await measurements.metrics())
