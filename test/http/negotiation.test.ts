// Which representation is sent and which are read.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../support.ts'
import { everything, refused } from './reading.ts'

const service = await startService()
const typeFor = async (accept: string) => {
  const answer = await service.get('/ram/zone', { Accept: accept })
  assert.equal(answer.status, 200, `${accept} ${answer.text}`)
  return String(answer.headers['content-type']).replace('application/', '')
}

test('Accept absent, empty, */*, application/xml and text/xml give XML', async () => {
  assert.equal((await service.ask('GET', '/ram/zone')).headers['content-type'], 'application/xml')
  for (const accept of [
    '',
    '*/*',
    'application/xml',
    'text/xml',
    'APPLICATION/XML',
    'text/*',
    'application/*',
  ]) {
    assert.equal(await typeFor(accept), 'xml', accept)
  }
})

test('application/json gives JSON', async () => {
  for (const accept of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'text/html, application/json',
  ]) {
    assert.equal(await typeFor(accept), 'json', accept)
  }
})

test('quality values are honoured', async () => {
  assert.equal(await typeFor('application/xml;q=0.5, application/json;q=0.9'), 'json')
  assert.equal(await typeFor('application/json;q=0.5, application/xml;q=0.9'), 'xml')
  assert.equal(await typeFor('application/json; q=0.001, */*; q=0'), 'json')
  assert.equal(await typeFor('application/xml;q=0, */*'), 'json')
  assert.equal(await typeFor('application/json;q=0, */*;q=0.1'), 'xml')
  assert.equal(await typeFor('text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8'), 'xml')
  assert.equal(await typeFor('text/html;q=1.0, application/json;q=0.2'), 'json')
})

test('of equal qualities the first named wins', async () => {
  assert.equal(await typeFor('application/json, application/xml'), 'json')
  assert.equal(await typeFor('application/xml, application/json'), 'xml')
})

test('anything else is refused with 406', async () => {
  for (const accept of [
    'text/html',
    'application/pdf, image/*',
    'application/xml;q=0',
    '*/*;q=0',
    'text/csv',
    'xml',
    'application/json;q=0.0',
  ]) {
    const { message } = refused(await service.get('/ram/zone', { Accept: accept }), 406)
    assert.match(message, /expected application\/xml or application\/json/)
  }
})

test('what cannot be represented is not carried out either', async () => {
  const before = await everything(service)
  const answer = await service.ask('POST', '/ram/zone', {
    body: '<zone><name>Never</name></zone>',
    headers: { Accept: 'text/html' },
  })
  refused(answer, 406)
  refused(await service.ask('DELETE', '/ram/zone/1', { headers: { Accept: 'text/html' } }), 406)
  assert.equal(await everything(service), before)
})

let count = 0
const post = (type: string | undefined, body?: string) =>
  service.ask('POST', '/ram/zone', {
    body: body ?? `<zone><name>Zone ${count++}</name></zone>`,
    headers: type === undefined ? {} : { 'Content-Type': type },
  })

test('a body of application/xml, text/xml or no type at all is read as XML', async () => {
  for (const type of [undefined, 'application/xml', 'text/xml', 'Application/XML']) {
    assert.equal((await post(type)).status, 201, type)
  }
})

test('a body of application/json is read as JSON', async () => {
  assert.equal((await post('application/json', '{"name":"By JSON"}')).status, 201)
  refused(await post('application/json', '<zone><name>x</name></zone>'), 400)
  refused(await post('application/xml', '{"name":"x"}'), 400)
})

test('a body of any other type is refused with 415', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xhtml+xml',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'xml',
  ]) {
    refused(await post(type), 415)
  }
})

test('charset UTF-8 in any spelling is fine, any other is refused with 415', async () => {
  for (const charset of ['UTF-8', 'utf-8', '"UTF-8"', 'utf8']) {
    assert.equal((await post(`application/xml; charset=${charset}`)).status, 201, charset)
  }
  assert.equal((await post('application/xml;charset=UTF-8')).status, 201)
  for (const type of ['application/xml', 'text/xml', 'application/json']) {
    for (const charset of ['ISO-8859-1', 'UTF-16', 'us-ascii', '"gbk"', '']) {
      refused(await post(`${type}; charset=${charset}`), 415)
    }
  }
})

test('an encoded body is refused with 415', async () => {
  const answer = await service.ask('POST', '/ram/zone', {
    body: '<zone><name>x</name></zone>',
    headers: { 'Content-Type': 'application/xml', 'Content-Encoding': 'gzip' },
  })
  refused(answer, 415)
})

test('errors come in the representation that was asked for, and as XML where it cannot be', async () => {
  const typeOf = async (path: string, accept: string) =>
    (await service.get(path, { Accept: accept })).headers['content-type']
  for (const path of ['/nowhere', '/ram/zone/999', '/ram/zone/x', '/ram/zone?size=x', '/ram/zone/%zz']) {
    assert.equal(await typeOf(path, 'application/json'), 'application/json', path)
    assert.equal(await typeOf(path, 'application/xml'), 'application/xml', path)
  }
  assert.equal(await typeOf('/ram/zone', 'text/html'), 'application/xml')
  assert.equal(await typeOf('/nowhere', 'text/html'), 'application/xml')
})
