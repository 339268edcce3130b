// A peer as a process of its own: answers JSON documents from memory, through Fastify or with bare node:http.
// Its argument says which of the two.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './children.ts'

export type Documents = Readonly<Record<string, unknown>>

/** As much of Fastify as is used here: it may not be installed where types are checked. */
interface Fastify {
  get(path: string, answer: () => Promise<unknown>): void
  listen(where: { host: string; port: number }): Promise<string>
  server: { address(): AddressInfo }
}

async function serveWithFastify(documents: Documents): Promise<number> {
  const name = 'fastify'
  const { fastify } = (await import(name)) as { fastify(): Fastify }
  const app = fastify()
  for (const [path, document] of Object.entries(documents)) app.get(path, async () => document)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app.server.address().port
}

function serveBare(documents: Documents): Promise<number> {
  const server = createServer((request, response) => {
    const body = JSON.stringify(documents[request.url ?? ''])
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

answer({
  serve: async (documents: Documents) => {
    const port = await (process.argv[2] === 'fastify' ? serveWithFastify : serveBare)(documents)
    return { pid: process.pid, port }
  },
})
