// Handlers for monitoring: readiness and metrics.

import type { ServerResponse } from 'node:http'
import type { Handler } from '../call.ts'
import { sendText } from '../responses.ts'

export const answerHealth: Handler = async ({ response, health }) => {
  health.requireReady()
  sendReady(response)
}

/** For an address that moves between nodes: it should be where traps are received and kept, whoever processes them. */
export const answerTrapHealth: Handler = async ({ response, health }) => {
  health.requireIntake()
  sendReady(response)
}

const sendReady = (response: ServerResponse) =>
  sendText(response, 200, 'text/plain; charset=UTF-8', 'ready\n')

export const answerMetrics: Handler = async ({ response, measurements }) =>
  sendText(response, 200, measurements.contentType, await measurements.metrics())
