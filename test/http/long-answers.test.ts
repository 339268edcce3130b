// A long answer leaves room for others, however fast its caller takes it.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { writePiece } from '../../src/http/responses.ts'

for (const size of [1000, 2 ** 16]) {
  test(`others have their turn between two chunks of ${size} characters`, async () => {
    const without: number[] = []
    const server = createServer(async (_request, response) => {
      for (let chunk = 0; chunk < 20; chunk += 1) {
        let turned = false
        setImmediate(() => {
          turned = true
        })
        await writePiece(response, 'x'.repeat(size))
        if (!turned) without.push(chunk)
      }
      response.end()
    }).listen(0, '127.0.0.1')
    try {
      await new Promise((listening) => server.once('listening', listening))
      const { port } = server.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}/`)
      assert.equal((await answer.text()).length, 20 * size)
      assert.deepEqual(without, [])
    } finally {
      server.close()
    }
  })
}
