// What machines ask that watch over the service: /health and /metrics.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'

const service = await startService()

test('GET /health answers 200 when the service is ready, whatever the caller accepts', async () => {
  for (const accept of ['*/*', 'text/plain', 'text/html', 'application/json']) {
    const answer = await service.get('/health', { Accept: accept })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, 'ready\n')
  }
})

test('GET /metrics is in the text form of Prometheus', async () => {
  const answer = await service.get('/metrics', { Accept: 'text/plain' })
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
  for (const line of answer.text.trimEnd().split('\n')) {
    assert.match(
      line,
      /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? (-?[\d.e+-]+|Nan|\+Inf))?$/,
    )
  }
  assert.match(answer.text, /^belfry_info\{version="[\d.]+"\} 1$/m)
  assert.doesNotMatch(answer.text, /^(?!belfry_|#|$)/m, 'every name begins with belfry_')
})

test('requests are counted by method, path and status; paths with an id are one path', async () => {
  await service.get('/ram/zone/1')
  await service.get('/imcrs/ram/zone/2')
  await service.get('/ram/zone/3')
  await service.get('/no/such/path')
  const { text } = await service.get('/metrics')
  const counted = (labels: string) =>
    text.match(new RegExp(`^belfry_http_requests_total\\{${labels}\\} (\\d+)$`, 'm'))?.[1]
  assert.equal(counted('method="GET",route="/ram/zone/\\{id\\}",status="200"'), '1')
  assert.equal(counted('method="GET",route="/ram/zone/\\{id\\}",status="404"'), '2')
  assert.equal(counted('method="GET",route="none",status="404"'), '1')
})
