// A receiver of webhooks that counts: what came, in which order, and how often.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Received {
  readonly id: string
  readonly incident: string
  readonly change: string
  readonly path: string
  readonly address: string
  readonly text: string
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Called when a message has come, before it is answered. */
  onReceived: () => void
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const receiver = { url: '', received, onReceived: () => {} }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { id, incident, change, address, text, links } = JSON.parse(body)
      received.push({ id, incident, change, address, text, links, path: request.url ?? '' })
      receiver.onReceived()
      response.end('taken')
    })
  })
  after(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}
